from os.path import exists, join
import os
import os.path as osp
print(exists("nothing"), join("a", "b"), os.path.basename("/x/y.py"), osp.splitext("a.tar.gz"))
