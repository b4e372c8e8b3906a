local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local files = palfrey.files

describe("files", function()
  it("come back as the bytes that were written", function()
    local all = {}
    for i = 0, 255 do all[i + 1] = string.char(i) end
    for _, bytes in ipairs { "", "x", "one\0two\r\n\255", table.concat(all):rep(1000) } do
      assert.is_true(files.write("round.bin", bytes))
      assert.equal(bytes, files.read "round.bin")
      assert.equal(#bytes, files.getInfo("round.bin").size)
    end
    assert.is_true(files.remove "round.bin")
    assert.is_false(files.exists "round.bin")
  end)

  it("of the game are read, and told about", function()
    assert.match("^%-%- A stage", files.read "main.lua")
    assert.is_true(files.exists "main.lua")
    assert.is_true(files.exists "assets")
    assert.is_false(files.exists "nothing")
    local info = files.getInfo "assets/blue.png"
    assert.equal("file", info.type)
    assert.equal(#files.read "assets/blue.png", info.size)
    assert.equal("integer", math.type(info.modified))
    assert.equal("folder", files.getInfo("assets").type)
    assert.is_nil(files.getInfo "nothing")
  end)

  it("of the save folder lie on top of the game's, which come back when they go", function()
    local before = files.read "parts/nothing.lua"
    assert.is_true(files.write("parts/nothing.lua", "return 5"))
    assert.equal("return 5", files.read "parts/nothing.lua")
    assert.is_true(files.remove "parts/nothing.lua")
    assert.equal(before, files.read "parts/nothing.lua")
  end)

  it("make their folders, also deep and with blanks and letters of all kinds", function()
    for _, path in ipairs { "a/b/c/d.txt", "with blank/x y.txt", "größe/名前.txt", ".hidden" } do
      assert.is_true(files.write(path, path))
      assert.equal(path, files.read(path))
    end
  end)

  it("are listed by name, sorted, of both folders at once", function()
    for _, name in ipairs { "zeta", "Alpha", "beta", "10", "9" } do files.write("listed/" .. name, "") end
    assert.same({ "10", "9", "Alpha", "beta", "zeta" }, files.list "listed")
    files.write("parts/added.lua", "")
    assert.same({ "added.lua", "circle.lua", "circle2.lua", "counter.lua", "deep", "marked.lua", "nothing.lua" },
      files.list "parts")
    files.remove "parts/added.lua"
    local root = table.concat(files.list "", " ")
    for _, name in ipairs { "main.lua", "conf.lua", "assets", "listed", "parts" } do
      assert.match(name, root, 1, true)
    end
    local names, message = files.list "nothing"
    assert.is_nil(names)
    assert.match("nothing", message)
    assert.is_nil((files.list "main.lua"))
  end)

  it("can be named with dots and slashes more than needed", function()
    assert.equal(files.read "main.lua", files.read "./main.lua")
    assert.equal(files.read "assets/blue.png", files.read "assets//blue.png")
    assert.equal(files.read "assets/blue.png", files.read "assets/./blue.png")
  end)

  it("outside are refused, however they are named", function()
    for _, path in ipairs { "../main.lua", "assets/../../x", "/etc/passwd", "..", "a/..", "..\\x", "a\\..\\..\\x",
                            "C:/x", "C:\\x" } do
      for _, call in ipairs { "read", "list", "remove" } do
        local result, message = files[call](path)
        assert.is_nil(result)
        assert.is_string(message)
      end
      local written, message = files.write(path, "x")
      assert.is_nil(written)
      assert.is_string(message)
      assert.is_false(files.exists(path))
      assert.is_nil(files.getInfo(path))
    end
  end)

  it("that cannot be read, written or removed give nil and a message", function()
    for _, case in ipairs { { "read", "nothing.txt" }, { "read", "assets" }, { "remove", "main.lua" },
                            { "remove", "nothing.txt" }, { "write", "", "x" }, { "write", "listed", "x" },
                            { "write", "listed/9/x", "x" } } do
      files.write("listed/9", "")
      local result, message = files[case[1]](case[2], case[3])
      assert.is_nil(result)
      assert.is_true(type(message) == "string" and #message > 0)
    end
    assert.is_true(files.exists "main.lua")
  end)

  it("of folders are removed when they are empty", function()
    files.write("folder/file", "")
    local removed, message = files.remove "folder"
    assert.is_nil(removed)
    assert.is_string(message)
    assert.is_true(files.remove "folder/file")
    assert.is_true(files.remove "folder")
    assert.is_false(files.exists "folder")
  end)

  it("take names without zero bytes, and strings as content", function()
    for _, call in ipairs { "read", "exists", "getInfo", "list", "remove" } do
      assert.match("zero bytes", support.raises(function() files[call] "a\0b" end))
      assert.match("string expected", support.raises(function() files[call]() end))
      assert.match("string expected", support.raises(function() files[call] {} end))
    end
    assert.match("zero bytes", support.raises(function() files.write("a\0b", "") end))
    assert.match("string expected", support.raises(function() files.write("x") end))
    assert.match("string expected", support.raises(function() files.write("x", true) end))
  end)
end)
