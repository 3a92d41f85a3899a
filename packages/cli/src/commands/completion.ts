// `svc completion`: scripts that make shells ask svc what could follow.

import type { Command } from '../command.ts';
import { EXIT } from '../faults.ts';

const BASH = `# Completion of svc for bash.
_svc() {
  local line values=()
  # The words as the shell reads them, so that --event=… is one.
  local words=() cword
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n =: words cword
  else
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  fi
  while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
  done < <(svc __complete -- "\${words[@]:1:cword}" 2>/dev/null)
  COMPREPLY=("\${values[@]}")
  declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "\${words[cword]}"
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
    set -l words (commandline -opc)[2..-1] (commandline -ct)
    svc __complete -- $words 2>/dev/null
end
complete -c svc -e
complete -c svc -k -a '(__svc_complete)'
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
