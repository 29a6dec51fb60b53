-- Asks the prediction service about each submitted job, and writes the estimate into the job's
-- AdminComment as pred=MINUTES. After any error, or without an answer within 0.2 s, the job stays as
-- it was submitted. The script rejects no job.
-- With DRY_RUN = false the estimate also becomes the job's TimeMin, a soft limit. Slurm before
-- 25.05.4, or without SchedulerParameters=time_min_as_soft_limit, kills jobs by TimeMin.
-- Needs sockets for Lua (Debian's lua-socket). Test it as SlurmUser: lua job_submit.lua
local SOCKET = "/run/pred-aware/socket"
local DRY_RUN = true
local TIMEOUT = 0.2 -- s
local MOST_FAILURES, SILENCE = 3, 120 -- after 3 failures in a row, no request for 120 s

local NO_NUMBER, NO_SMALL_NUMBER = 4294967294, 65534 -- NO_VAL and NO_VAL16 of Slurm
local failures, silent_until = 0, 0

local function number(value, limit)
  return value and value > 0 and value < (limit or NO_NUMBER) and value or nil
end

local function quoted(text)
  local escaped = text:gsub('[%c"\\]', function(sign) return ("\\u%04x"):format(sign:byte()) end)
  return '"' .. escaped .. '"'
end

-- Return the service's request for a job, one line of JSON.
local function request(job)
  local minutes = number(job.time_limit)
  local nodes = number(job.min_nodes)
  local tasks = (number(job.num_tasks) or 1) * (number(job.cpus_per_task, NO_SMALL_NUMBER) or 1)
  local fields = {
    '"processors": ' .. math.max(number(job.min_cpus) or 1, tasks, nodes or 1),
    '"walltime": ' .. 60 * minutes,
  }
  if nodes then table.insert(fields, '"nodes": ' .. nodes) end
  local texts = {
    user = job.user_name, project = job.account or job.default_account,
    partition = job.partition, name = job.name, qos = job.qos,
  }
  for name, text in pairs(texts) do
    if text and text ~= "" then table.insert(fields, ('"%s": %s'):format(name, quoted(text))) end
  end
  return '{"ask": "estimate", "job": {' .. table.concat(fields, ", ") .. "}}\n"
end

-- Return the service's answer. Raise an error if none arrives in time.
local function ask(line)
  local connection = require("socket.unix")()
  connection:settimeout(TIMEOUT)
  local ok, answer = pcall(function()
    assert(connection:connect(SOCKET))
    assert(connection:send(line))
    return assert(connection:receive("*l"))
  end)
  connection:close()
  return ok and answer or error(answer, 0)
end

-- True if a reservation will begin: a job with a soft limit could still run when it begins.
local function reservation_ahead()
  for _, one in pairs(slurm.reservations or {}) do
    if one.start_time > os.time() then return true end
  end
  return false
end

local function predict(job)
  local limit = number(job.time_limit)
  if not limit or os.time() < silent_until then return end
  local ok, answer = pcall(ask, request(job))
  failures = ok and 0 or failures + 1
  if failures >= MOST_FAILURES then failures, silent_until = 0, os.time() + SILENCE end
  if not ok then error(answer, 0) end
  local seconds = tonumber(answer:match('"estimate":%s*([%d.e+-]+)'))
  local minutes = seconds and math.max(1, math.ceil(seconds / 60))
  if not minutes or minutes >= limit then return end
  job.admin_comment = (job.admin_comment and job.admin_comment .. " " or "") .. "pred=" .. minutes
  if not DRY_RUN and not reservation_ahead() then job.time_min = minutes end
end

function slurm_job_submit(job, partitions, uid)
  local ok, problem = pcall(predict, job)
  if not ok then slurm.log_info("pred-aware: %s", tostring(problem)) end
  return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, uid)
  return slurm.SUCCESS
end

if not slurm then
  slurm = { SUCCESS = 0, log_info = function(text, ...) print(text:format(...)) end }
  local job = { time_limit = 60, min_cpus = 1, user_name = os.getenv("USER") or "root" }
  slurm_job_submit(job)
  print(job.admin_comment or job.time_min or "no estimate below the limit of 60 minutes")
end
