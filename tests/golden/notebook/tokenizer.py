import re
text = "Hello, world. Is this-- a test?"
result = [t.strip() for t in re.split(r'([,.:;?_!"()]|--|\s)', text) if t.strip()]
print(result)
