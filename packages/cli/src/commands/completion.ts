// `svc completion`: scripts that make shells ask svc what could follow.

import type { Command } from '../command.ts';
import { EXIT } from '../faults.ts';

const BASH = `# Completion of svc for bash.
_svc() {
  local line word piece prefix='' i rest="\${COMP_LINE:0:COMP_POINT}"
  local words=()
  # The shell breaks words at = and :, so that --event=drift is three. What has no blank before it belongs to the word before.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $i -eq 0 || $rest == [[:blank:]]* ]]; then
      rest="\${rest#"\${rest%%[![:blank:]]*}"}"
      words+=("$word")
    else
      words[\${#words[@]}-1]+="$word"
    fi
    rest="\${rest#"$word"}"
  done
  word="\${words[\${#words[@]}-1]}"
  # The shell puts an answer in the place of its last piece alone.
  for piece in = :; do
    if [[ $COMP_WORDBREAKS == *$piece* && $word == *$piece* ]]; then
      line="\${word%"\${word##*$piece}"}"
      [[ \${#line} -gt \${#prefix} ]] && prefix="$line"
    fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    COMPREPLY+=("\${line#"$prefix"}")
  done < <(svc __complete -- "\${words[@]:1}" 2>/dev/null)
  return 0
}
complete -o default -F _svc svc
`;

const ZSH = `#compdef svc
# Completion of svc for zsh.
_svc() {
  local line value
  local -a described
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    described+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done < <(svc __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#described} )); then
    _describe 'svc' described
  else
    _files
  fi
}
compdef _svc svc
`;

const FISH = `# Completion of svc for fish.
function __svc_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l last (commandline -ct)
    set -l lines (svc __complete -- $words "$last" 2>/dev/null)
    if test (count $lines) -gt 0
        printf '%s\\n' $lines
    else
        # What svc does not know is a file, which may stand behind --file=.
        set -l option (string match -r -- '^--[a-z0-9-]+=' "$last")
        for path in (__fish_complete_path (string replace -r -- '^--[a-z0-9-]+=' '' "$last"))
            printf '%s\\n' "$option$path"
        end
    end
end
complete -c svc -e
complete -c svc -f -k -a '(__svc_complete)'
`;

function command(shell: string, script: string, description: string, example: string): Command {
  return {
    words: ['completion', shell],
    summary: `Print the completion script for ${shell}`,
    description,
    isOffline: true,
    examples: [example],
    async run({ output }) {
      output.raw(script);
      return EXIT.done;
    },
  };
}

export const commands: readonly Command[] = [
  command('bash', BASH, 'Add the line of the example to ~/.bashrc.', 'source <(svc completion bash)'),
  command('zsh', ZSH, 'Add the line of the example to ~/.zshrc, below compinit.', 'source <(svc completion zsh)'),
  command(
    'fish',
    FISH,
    'Write it where fish looks for completions.',
    'svc completion fish > ~/.config/fish/completions/svc.fish',
  ),
];
