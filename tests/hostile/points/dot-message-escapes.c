// expect: compile_error 0
// A message with what terminals and browsers obey.
#error "[2J <script>alert(1)</script> ‮evil⁦ 31m"
