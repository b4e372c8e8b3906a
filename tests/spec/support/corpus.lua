-- What specs of the corpus need: files of real programs and broken ones, with answers worked out by programs of their
-- own. They lie beside the project and are not part of it. PALFREY_INFO holds the command that describes a file.
local json = require "dkjson"

local INFO = os.getenv "PALFREY_INFO"

local corpus = { SHARED = "../shared" }

function corpus.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- What a command prints, and true if it succeeds.
function corpus.run(command)
  local pipe <close> = assert(io.popen(command .. " 2>/dev/null"))
  return pipe:read "a", pipe:close() or false
end

--- The content of a file, or nil.
function corpus.read(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a"
end

--- The paths of a format's files, in order; by the format's name as their extension unless another is given.
function corpus.list(format, extension)
  local paths = {}
  local folder = corpus.SHARED .. "/corpus/" .. format
  for path in corpus.run("find " .. corpus.quote(folder) .. " -type f | sort"):gmatch "[^\n]+" do
    if path:lower():match "[^.]*$" == (extension or format) then table.insert(paths, path) end
  end
  return paths
end

--- The decoded answer to a good file, or nil.
function corpus.golden(path)
  local text = corpus.read(path:gsub("/corpus/", "/corpus/golden/", 1) .. ".json")
  return text and json.decode(text)
end

--- The text of the table of broken files, or nil and what is missing for its checks.
function corpus.verdicts()
  if not INFO then return nil, "PALFREY_INFO is not set" end
  local text = corpus.read(corpus.SHARED .. "/corpus/bad/expected.tsv")
  return text, not text and "no corpus beside the project" or nil
end

--- What Palfrey tells of a file, and whether it is a good one.
function corpus.describe(path, options)
  local output, is_good = corpus.run(("%s %s %s"):format(INFO, corpus.quote(path), options or ""))
  local info = json.decode(output)
  assert(type(info) == "table", "no JSON for " .. path .. ": " .. output)
  return info, is_good
end

function corpus.has_warning(info, word)
  for _, warning in ipairs(info.warnings) do
    if warning:lower():find(word, 1, true) then return true end
  end
  return false
end

return corpus
