// Commands of Windows: cmd, PowerShell, and the system's own programs turned against it.

import { HARMFUL, RISKY, rule, type Rule, type Verdict } from '../rule.ts';
import { isKnownInstaller } from '../installers.ts';

const DRIVE = String.raw`["']?(?:[a-z]:\\?(?:\*(?:\.\*)?|windows(?:\\system32)?|users|program files)?|%(?:systemdrive|systemroot|userprofile|windir)%|\$env:(?:SystemDrive|SystemRoot|USERPROFILE|windir))\\?\*?["']?(?=[\s;&|"'${'`'}]|$)`;

function judgeCradle([command]: RegExpExecArray): Verdict {
  if (
    /community\.chocolatey\.org|chocolatey\.org\/install|get\.scoop\.sh|astral\.sh|bun\.sh|get\.pnpm\.io|deno\.land/i.test(
      command,
    ) ||
    isKnownInstaller(command)
  )
    return { score: 0.3, severity: 'low' };
  return HARMFUL;
}

const CRADLE = 'Downloads a script and runs it without leaving a file.';

/** Rules of Windows. */
export const WINDOWS_RULES: readonly Rule[] = [
  rule(
    'remote_script',
    ['iex ', 'iex(', 'invoke-expression'],
    String.raw`(?:iex|Invoke-Expression)\b[^\n]{0,120}?(?:DownloadString|DownloadData|Net\.WebClient|Invoke-WebRequest|Invoke-RestMethod|\biwr\b|\birm\b)[^\n]{0,160}`,
    judgeCradle,
    CRADLE,
    { before: 0 },
  ),
  rule(
    'remote_script',
    ['invoke-webrequest', 'invoke-restmethod', 'iwr ', 'irm ', 'downloadstring('],
    String.raw`(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|DownloadString\()[^\n|]{0,200}\|\s?(?:iex|Invoke-Expression)\b`,
    judgeCradle,
    CRADLE,
    { before: 0 },
  ),
  rule(
    'remote_script',
    ['certutil', 'bitsadmin', 'mshta', 'regsvr32', 'rundll32', 'msiexec'],
    String.raw`\bcertutil(?:\.exe)? [^\n]{0,60}-urlcache\b[^\n]{0,160}|\bbitsadmin(?:\.exe)? /transfer [^\n]{0,160}https?:[^\n]{0,100}|\bmshta(?:\.exe)? ["']?(?:https?:|vbscript:|javascript:)[^\n]{0,160}|\bregsvr32(?:\.exe)? [^\n]{0,60}/i:https?:[^\n]{0,120}|\brundll32(?:\.exe)? javascript:[^\n]{0,160}`,
    HARMFUL,
    'Turns a program of the system into a downloader.',
  ),
  rule(
    'remote_script',
    ['.downloadfile(', 'start-process', 'invoke-item'],
    String.raw`\.DownloadFile\([^\n]{1,200}\.(?:exe|ps1|dll|bat|vbs|scr)\b[^\n]{0,40}[\n;]\s{0,4}(?:Start-Process|Invoke-Item|&|start|\.\\)[^\n]{0,80}`,
    HARMFUL,
    'Downloads a program and runs it.',
    { before: 300 },
  ),
  rule(
    'obfuscated_execution',
    ['powershell', 'pwsh'],
    String.raw`\b(?:powershell|pwsh)(?:\.exe)?["']?\s[^\n]{0,80}-e(?:c|nc|ncodedcommand|ncoded)?\s{1,2}["']?[A-Za-z0-9+/=]{20,}`,
    HARMFUL,
    'Runs commands that it hides in an encoding.',
    { after: 500, before: 0 },
  ),
  rule(
    'obfuscated_execution',
    ['frombase64string'],
    String.raw`\b(?:iex|Invoke-Expression)\b[^\n]{0,100}FromBase64String|FromBase64String\([^\n]{1,200}\|\s?(?:iex|Invoke-Expression)\b|\[(?:System\.)?Reflection\.Assembly\]::Load\([^\n]{0,60}FromBase64String`,
    HARMFUL,
    'Runs code that it hides in an encoding.',
  ),
  rule(
    'obfuscated_execution',
    ['amsi'],
    String.raw`\bAmsiUtils\b|\bamsiInitFailed\b|\bAmsiScanBuffer\b`,
    HARMFUL,
    'Blinds the scanner that reads scripts before they run.',
  ),
  rule(
    'destructive_delete',
    ['del /', 'erase /', 'rd /', 'rmdir /'],
    String.raw`\b(?:del|erase|rd|rmdir) (?:/[a-z] ?){1,4} ?${DRIVE}`,
    judgeTree,
    'Deletes the system or all files of the user.',
  ),
  rule(
    'destructive_delete',
    ['remove-item', 'rm -r'],
    String.raw`\b(?:Remove-Item|ri|rm)\b(?=[^\n]{0,80}-Recurse)(?=[^\n]{0,80}-Force)[^\n]{0,60}?\s${DRIVE}`,
    HARMFUL,
    'Deletes the system or all files of the user.',
  ),
  rule(
    'disk_wipe',
    ['format ', 'clear-disk', 'diskpart', 'cipher /w'],
    String.raw`\bformat(?:\.com)? [a-z]:(?: /\w+(?::\w+)?){1,5}|\bClear-Disk\b[^\n]{0,60}-RemoveData`,
    { score: 0.7, severity: 'high' },
    'Erases a disk.',
  ),
  rule(
    'disk_wipe',
    ['vssadmin', 'wbadmin', 'bcdedit', 'shadowcopy'],
    String.raw`\bvssadmin(?:\.exe)? delete shadows\b[^\n]{0,40}|\bwbadmin(?:\.exe)? delete (?:catalog|backup|systemstatebackup)|\bbcdedit(?:\.exe)? [^\n]{0,40}recoveryenabled no|\bwmic shadowcopy delete`,
    HARMFUL,
    'Deletes what a machine is restored from.',
  ),
  rule(
    'fork_bomb',
    ['%0|%0', '%0 | %0', '"%0"|'],
    String.raw`%0\s?\|\s?%0|"%0"\s?\|\s?"%0"`,
    HARMFUL,
    'Starts processes without end until the machine stands still.',
  ),
  rule(
    'reverse_shell',
    ['tcpclient('],
    String.raw`(?:Net\.Sockets\.)?TCPClient\([\s\S]{1,600}?(?:\biex\b|Invoke-Expression|cmd\.exe|powershell|Process\.Start|/bin/(?:ba)?sh)`,
    HARMFUL,
    'Hands a shell of the machine to somebody else.',
    { before: 12, after: 800 },
  ),
  rule(
    'security_disabled',
    ['set-mppreference', 'add-mppreference'],
    String.raw`\bSet-MpPreference\b[^\n]{0,80}-Disable\w{4,40}[ :]{1,2}(?:\$?true|1)|\bAdd-MpPreference\b[^\n]{0,40}-Exclusion\w{4,12}\b[^\n]{0,80}`,
    { score: 0.75, severity: 'high' },
    'Turns off the protection against malware.',
  ),
  rule(
    'security_disabled',
    ['advfirewall', 'netfirewallprofile'],
    String.raw`\bnetsh advfirewall set (?:all|current|domain|private|public)profiles? state off|\bSet-NetFirewallProfile\b[^\n]{0,80}-Enabled False`,
    RISKY,
    'Turns off the firewall.',
  ),
  rule(
    'security_disabled',
    ['windefend', 'disableantispyware', 'disablerealtimemonitoring', 'enablelua'],
    String.raw`\b(?:sc(?:\.exe)? (?:stop|delete|config)|net stop|Stop-Service(?: -\w+)?) ["']?WinDefend\b|\breg(?:\.exe)? add [^\n]{0,140}\b(?:DisableAntiSpyware|DisableRealtimeMonitoring)\b[^\n]{0,30}/d 1|\breg(?:\.exe)? add [^\n]{0,140}\bEnableLUA\b[^\n]{0,30}/d 0`,
    { score: 0.75, severity: 'high' },
    'Turns off the protection against malware.',
  ),
  rule(
    'security_disabled',
    ['wevtutil', 'clear-eventlog'],
    String.raw`\bwevtutil(?:\.exe)? cl \w{3,30}|\bClear-EventLog\b[^\n]{0,60}`,
    RISKY,
    'Deletes the record of what happened.',
  ),
  rule(
    'credential_theft',
    ['mimikatz', 'sekurlsa', 'lsadump'],
    String.raw`\b(?:Invoke-Mimikatz|mimikatz(?:\.exe)?["']? ["']?(?:privilege|sekurlsa|token|lsadump)|sekurlsa::\w{4,20}|lsadump::\w{3,12})\b[^\n]{0,60}`,
    HARMFUL,
    'Takes passwords out of the memory of the system.',
  ),
  rule(
    'credential_theft',
    ['lsass', 'comsvcs', 'hklm\\sam', 'hklm\\security', 'ntds.dit', 'ntdsutil', 'secretsdump'],
    String.raw`\bprocdump(?:64)?(?:\.exe)? [^\n]{0,60}lsass|\bcomsvcs(?:\.dll)?,? #?(?:\+?0*24|MiniDump)\b[^\n]{0,60}|\breg(?:\.exe)? save ["']?HKLM\\(?:SAM|SECURITY|SYSTEM)\b|\bntdsutil\b[^\n]{0,60}\bifm\b|\bsecretsdump\.py [^\n]{1,80}`,
    HARMFUL,
    'Takes the stored passwords of the machine.',
  ),
  rule(
    'credential_theft',
    ['login data', 'local state', 'cryptunprotectdata'],
    String.raw`(?:Login Data|Local State)\b[\s\S]{1,800}?CryptUnprotectData|CryptUnprotectData[\s\S]{1,800}?Login Data`,
    HARMFUL,
    'Takes the passwords stored in a browser.',
    { before: 0, after: 900 },
  ),
  rule(
    'persistence',
    ['currentversion\\run'],
    String.raw`(?:\breg(?:\.exe)? add|New-ItemProperty|Set-ItemProperty|winreg\.SetValueEx|RegSetValueEx)[\s\S]{0,200}CurrentVersion\\{1,2}Run(?:Once)?\b[^\n]{0,160}(?:powershell|https?:|%temp%|%appdata%|\\Temp\\|AppData|mshta|wscript|-enc)`,
    HARMFUL,
    'Comes back at every start and runs what it brought or downloads.',
  ),
  rule(
    'persistence',
    ['schtasks', 'scheduledtask'],
    String.raw`\bschtasks(?:\.exe)? /create [^\n]{0,160}(?:https?:|-enc|-e |iex|mshta|%temp%|\\Temp\\|DownloadString|-w(?:indowstyle)? hidden)[^\n]{0,100}`,
    HARMFUL,
    'Comes back by the scheduler.',
  ),
  rule(
    'persistence',
    ['net localgroup'],
    String.raw`\bnet user [\w$.-]{1,32} \S{1,64} /add[\s\S]{0,60}?\bnet localgroup administrators [\w$.-]{1,32} /add`,
    { score: 0.6, severity: 'medium' },
    'Adds a second administrator.',
    { before: 160 },
  ),
  rule(
    'open_permissions',
    ['icacls'],
    String.raw`\bicacls(?:\.exe)? ["']?(?:c:\\?["']?|c:\\windows\S{0,40}) [^\n]{0,30}(?:everyone|users):\(?[^\s]{0,12}f\)?`,
    RISKY,
    'Lets everybody change the files of the system.',
  ),
  rule(
    'remote_script',
    ['start-process', 'invoke-item'],
    String.raw`\b(?:Invoke-WebRequest|iwr|curl|wget)\b[^\n;]{1,200}-OutFile ["']?([^\s"';]{3,80}\.(?:exe|ps1|bat|scr|dll))[^\n;]{0,60}[;\n]\s{0,4}(?:Start-Process|Invoke-Item)[^\n]{0,20}\1`,
    HARMFUL,
    'Downloads a program and runs it.',
    { before: 360, after: 120 },
  ),
  rule(
    'destructive_delete',
    ['remove-item'],
    String.raw`\b(?:Get-ChildItem|gci|dir|ls) ["']?[a-z]:\\["']? [^\n|]{0,40}-Recurse[^\n|]{0,40}\|\s?Remove-Item[^\n]{0,40}`,
    HARMFUL,
    'Deletes the system or all files of the user.',
    { before: 120, after: 60 },
  ),
];

function judgeTree([command]: RegExpExecArray): Verdict | null {
  return /\/s\b/i.test(command) ? HARMFUL : null;
}
