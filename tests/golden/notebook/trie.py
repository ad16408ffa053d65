class Node:
    __slots__ = ("kids", "end")
    def __init__(self):
        self.kids = {}
        self.end = False
class Trie:
    def __init__(self, words=()):
        self.root = Node()
        for w in words: self.insert(w)
    def insert(self, w):
        n = self.root
        for ch in w:
            n = n.kids.setdefault(ch, Node())
        n.end = True
    def __contains__(self, w):
        n = self.root
        for ch in w:
            if ch not in n.kids: return False
            n = n.kids[ch]
        return n.end
    def starts(self, p):
        n = self.root
        for ch in p:
            n = n.kids.get(ch)
            if n is None: return
        stack = [(p, n)]
        while stack:
            s, n = stack.pop()
            if n.end: yield s
            stack += [(s + c, k) for c, k in sorted(n.kids.items(), reverse=True)]
t = Trie("the then they their there apple".split())
print("the" in t, "th" in t, list(t.starts("the")), list(t.starts("x")))
