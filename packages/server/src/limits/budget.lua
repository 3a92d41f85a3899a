-- Takes from any number of budgets, from all of them or from none. The rule, the slots and the answers are those of budget.ts.
--
-- KEYS: a hash for each budget. Fields: what was taken in each second, under the number of that second; `second`, that of the last
--       taking; `used60` and `used300`, what was in use then.
-- ARGV: the time in microseconds (-1: the server's), then the limit and the cost for each key. A cost of 0 only looks.
-- Answer: the number of the key that refuses longest (0: none), its wait in seconds (-1: it never fits), then for each key remaining, reset,
--       used60 and used300.
--
-- Slots have the names of their seconds, not places in a ring: what a gap left behind can then never be taken for what a later lap wrote.
-- A call that takes nothing writes nothing.

local KEPT_SECONDS = 302

local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
now = now / 1000000

local function text(number)
  return string.format('%d', number)
end

local function names(first, last)
  local fields = {}
  for second = first, last do
    fields[#fields + 1] = text(second)
  end
  return fields
end

-- What was taken in each of these seconds, oldest first.
local function slots(key, first, last)
  if first > last then
    return {}
  end
  local values = redis.call('HMGET', key, unpack(names(first, last)))
  for i = 1, #values do
    values[i] = tonumber(values[i] or 0)
  end
  return values
end

local function sum(values)
  local total = 0
  for i = 1, #values do
    total = total + values[i]
  end
  return total
end

-- Seconds from the start of `second` until `amount` of what is in use is older than `window`.
local function secondsUntilFree(key, second, amount, window)
  if amount <= 0 then
    return 0
  end
  local taken = slots(key, second - window, second)
  local freed = 0
  for i = 1, #taken do
    freed = freed + taken[i]
    if freed >= amount then
      return i
    end
  end
  return window + 1
end

local function read(key, limit, cost)
  local state = redis.call('HMGET', key, 'second', 'used60', 'used300')
  local second = math.floor(now)
  local last = tonumber(state[1] or second)
  -- A clock that went back stands still.
  second = math.max(second, last)
  local used60 = tonumber(state[2] or 0) - sum(slots(key, last - 60, math.min(last, second - 61)))
  local used300 = tonumber(state[3] or 0) - sum(slots(key, last - 300, math.min(last, second - 301)))
  return { key = key, limit = limit, cost = cost, second = second, last = last, used60 = used60, used300 = used300 }
end

-- 0: it fits; -1: it never will.
local function waitOf(budget)
  if budget.cost == 0 then
    return 0
  end
  local over60 = budget.used60 + budget.cost - 2 * budget.limit
  local over300 = budget.used300 + budget.cost - 5 * budget.limit - math.ceil(budget.limit / 60)
  if over60 <= 0 and over300 <= 0 then
    return 0
  end
  if budget.cost > 2 * budget.limit then
    return -1
  end
  local seconds = math.max(
    secondsUntilFree(budget.key, budget.second, over60, 60),
    secondsUntilFree(budget.key, budget.second, over300, 300)
  )
  return math.max(1, math.ceil(budget.second + seconds - now))
end

local function take(budget)
  local key, second = budget.key, budget.second
  local gone = names(budget.last - 300, math.min(budget.last, second - 301))
  if #gone > 0 then
    redis.call('HDEL', key, unpack(gone))
  end
  budget.last = second
  budget.used60 = budget.used60 + budget.cost
  budget.used300 = budget.used300 + budget.cost
  redis.call('HINCRBY', key, text(second), text(budget.cost))
  redis.call('HSET', key, 'second', text(second), 'used60', text(budget.used60), 'used300', text(budget.used300))
  redis.call('EXPIRE', key, KEPT_SECONDS)
end

local function reset(budget)
  -- All of the last minute is free when its last taking is.
  local wait60 = budget.used60 > 0 and budget.last + 61 - budget.second or 0
  local wait300 = secondsUntilFree(budget.key, budget.second, budget.used300 - 4 * budget.limit, 300)
  return budget.second + math.max(wait60, wait300)
end

local budgets = {}
local refused, wait = 0, 0
for i = 1, #KEYS do
  budgets[i] = read(KEYS[i], tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1]))
  local own = waitOf(budgets[i])
  if wait ~= -1 and (own == -1 or own > wait) then
    refused, wait = i, own
  end
end

local answer = { refused, wait }
for i = 1, #KEYS do
  local budget = budgets[i]
  if refused == 0 and budget.cost > 0 then
    take(budget)
  end
  answer[#answer + 1] = math.max(0, math.min(budget.limit - budget.used60, 5 * budget.limit - budget.used300))
  answer[#answer + 1] = reset(budget)
  answer[#answer + 1] = budget.used60
  answer[#answer + 1] = budget.used300
end
return answer
