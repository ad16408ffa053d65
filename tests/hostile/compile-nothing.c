// expect: link_error
// An empty file.
