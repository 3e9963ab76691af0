-- Drives Neovim's client against `purecl lsp`, for the test beside it: opens $FILE after the configuration of docs/editors.md
-- was loaded, asks what an editor asks, and writes the answers as JSON to $ANSWERS.
local answers = {}

local function finish()
  local out = assert(io.open(os.getenv("ANSWERS"), "w"))
  out:write(vim.fn.json_encode(answers))
  out:close()
  vim.cmd("qall!")
end

local function ask(method, params)
  local result = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, r in pairs(result or {}) do
    return r.result or { error = r.error and r.error.message }
  end
  return nil
end

local ok, err = pcall(function()
  vim.cmd("edit " .. os.getenv("FILE"))
  answers.filetype = vim.bo.filetype
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end), "no diagnostics")
  for _, d in ipairs(vim.diagnostic.get(0)) do
    answers.diagnostics = answers.diagnostics or {}
    table.insert(answers.diagnostics, { line = d.lnum, column = d.col, message = d.message })
  end

  local function at(pattern, offset)
    vim.fn.cursor(1, 1)
    assert(vim.fn.search(pattern) > 0, "no " .. pattern)
    local pos = vim.api.nvim_win_get_cursor(0)
    vim.api.nvim_win_set_cursor(0, { pos[1], pos[2] + (offset or 0) })
    return vim.lsp.util.make_position_params()
  end

  answers.hover = ask("textDocument/hover", at("fmax"))
  answers.completion = ask("textDocument/completion", at("items\\[i\\]\\.", 9))
  answers.definition = ask("textDocument/definition", at("twice(a)"))
  answers.symbols = ask("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params() })

  -- Neovim itself renames, and a change of the text brings new diagnostics.
  at("twice(a)")
  vim.lsp.buf.rename("double_it")
  assert(vim.wait(20000, function() return vim.fn.search("double_it(a)", "nw") > 0 end), "nothing was renamed")
  vim.fn.cursor(1, 1)
  vim.cmd([[%s/vlaue/a/]])
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end), "the diagnostics stay")
  answers.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  answers.explains = vim.fn.exists(":PureclExplain") == 2
end)
if not ok then
  answers.failure = tostring(err)
end
finish()
