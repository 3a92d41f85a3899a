// Scripts that the makers of tools ask people to pipe into a shell. A habit worth a note, not an alarm.

const HOSTS: readonly string[] = [
  'astral.sh',
  'bun.sh',
  'deb.nodesource.com',
  'rpm.nodesource.com',
  'deno.land',
  'dl.yarnpkg.com',
  'dot.net',
  'fly.io',
  'fnm.vercel.app',
  'get.docker.com',
  'get.helm.sh',
  'get.k3s.io',
  'get.pnpm.io',
  'get.pulumi.com',
  'get.rke2.io',
  'get.rvm.io',
  'get.sdkman.io',
  'get.volta.sh',
  'getcomposer.org',
  'install.duckdb.org',
  'install.python-poetry.org',
  'nixos.org',
  'ollama.com',
  'ollama.ai',
  'packages.microsoft.com',
  'packagecloud.io',
  'packages.gitlab.com',
  'pyenv.run',
  'releases.hashicorp.com',
  'sdk.cloud.google.com',
  'sh.rustup.rs',
  'starship.rs',
  'tailscale.com',
  'vercel.com',
];

/** Owners on a host where anybody may put anything. */
const OWNER =
  /^https:\/\/(?:raw\.githubusercontent\.com|github\.com)\/(?:nvm-sh|homebrew|ohmyzsh|helm|rancher|k3d-io|junegunn|kubernetes|istio|pyenv|rbenv|asdf-vm|docker|golangci|golang|anchore|aquasecurity|hashicorp|microsoft|rust-lang|tj|creationix|robbyrussell|v2fly|zsh-users|composer|mas-cli)\//i;

const HOST = /https:\/\/([a-z0-9.-]{3,100})/i;

/** True when all that `command` downloads comes from such a host, encrypted, or when the address is a placeholder of documents. */
export function isKnownInstaller(command: string): boolean {
  const host = HOST.exec(command)?.[1]?.toLowerCase();
  if (host === undefined) return !/https?:|\/\/|\$|\d{1,3}\.\d{1,3}\./i.test(command) && /\blocalhost\b/i.test(command);
  if (OWNER.test(command.slice(command.toLowerCase().indexOf('https://')))) return true;
  return (
    HOSTS.some((known) => host === known || host.endsWith(`.${known}`)) || /^(?:www\.)?(?:localhost|127\.0\.0\.1)$/.test(host)
  );
}
