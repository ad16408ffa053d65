"""os.path: the functions of os.path as a module of its own."""
import os as _os

_paths = _os.path
sep = "/"
join = _paths.join
split = _paths.split
basename = _paths.basename
dirname = _paths.dirname
splitext = _paths.splitext
exists = _paths.exists
isfile = _paths.isfile
isdir = _paths.isdir
abspath = _paths.abspath
expanduser = _paths.expanduser
getsize = _paths.getsize
