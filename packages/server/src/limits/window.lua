-- Takes one call from a sliding window without burst. The rule and the answers are those of window.ts.
--
-- KEYS: a list of the times of the last calls, in microseconds.
-- ARGV: the time in microseconds (-1: the server's), the limit, the window in seconds.
-- Answer: the wait in seconds (0: it was taken), remaining, reset.

local now = tonumber(ARGV[1])
local limit = tonumber(ARGV[2])
local windowSeconds = tonumber(ARGV[3])
local window = windowSeconds * 1000000
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local times = redis.call('LRANGE', KEYS[1], -limit, -1)
-- A clock that went back stands still.
local at = math.max(now, tonumber(times[#times] or 0))
local used = 0
while used < #times and at - tonumber(times[#times - used]) < window do
  used = used + 1
end

local wait = 0
if used < limit then
  redis.call('RPUSH', KEYS[1], string.format('%d', at))
  redis.call('LTRIM', KEYS[1], -limit, -1)
  redis.call('EXPIRE', KEYS[1], windowSeconds + 1)
  used = used + 1
  times = { at }
else
  wait = math.max(1, math.ceil((tonumber(times[1]) + window - now) / 1000000))
end
return { wait, limit - used, math.ceil((tonumber(times[#times]) + window) / 1000000) }
