-- Requests of a file, one after the other and over again: a path on each line, and after tabs its headers as `name: value`.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, rest = line:match("^([^\t]+)(.*)$")
    local headers = {}
    for name, value in rest:gmatch("\t([^:\t]+): ([^\t]+)") do headers[name] = value end
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
