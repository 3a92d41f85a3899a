// The error of embedded PostgreSQL, and the sentences for what a machine may refuse.

/** Something about the embedded database that a person must settle. The message says what, and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** Thrown when another process owns the database of this data folder. */
export class SecondInstanceError extends EmbeddedPostgresError {}

/** The end of every sentence about a machine that cannot run the embedded database. */
export const OWN_SERVER = 'set SVC_DATABASE_URL to a PostgreSQL server of your own';

/** The system's code of an error (`ENOENT`, `57P03` …), or `undefined`. */
export function codeOf(err: unknown): string | undefined {
  const code = (err as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Turns a refusal of the file system into a sentence about `path`; other errors come back as they are. */
export function explainFileError(err: unknown, path: string): unknown {
  switch (codeOf(err)) {
    case 'EACCES':
    case 'EPERM':
      return new EmbeddedPostgresError(
        `No permission to write ${path}. Give this user the folder, or set SVC_DATA_DIR to another one.`,
        {
          cause: err,
        },
      );
    case 'EROFS':
      return new EmbeddedPostgresError(
        `${path} is on a read-only file system. Set SVC_DATA_DIR to a folder that can be written.`,
        {
          cause: err,
        },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new EmbeddedPostgresError(diskFull(path), { cause: err });
    case 'ENOTDIR':
    case 'EEXIST':
      return new EmbeddedPostgresError(`${path} is not a folder. Set SVC_DATA_DIR to a folder.`, { cause: err });
    default:
      return err;
  }
}

/** What PostgreSQL's own words mean for the person who started svc. */
export interface Diagnosis {
  /** `wait`: may pass by itself; `port`: another port may work; `stop`: a person must act. */
  readonly kind: 'wait' | 'port' | 'stop';
  readonly sentence: string;
}

/** Reads the last words of initdb or postgres. `output`: what it printed in this attempt; `dataDir` is named in sentences. */
export function diagnose(output: string, dataDir: string): Diagnosis {
  if (/No space left on device|Disk quota exceeded/.test(output)) return { kind: 'stop', sentence: diskFull(dataDir) };
  if (/could not bind|could not create any TCP\/IP sockets/.test(output)) {
    return { kind: 'port', sentence: `The port remembered in ${dataDir}/postgres.port is taken by another program.` };
  }
  if (/pre-existing shared memory block/.test(output)) {
    return {
      kind: 'wait',
      sentence: `Processes of an earlier database server still use ${dataDir}/postgres. End them and start again.`,
    };
  }
  if (/lock file ".*" already exists/.test(output)) {
    return { kind: 'wait', sentence: `Another database server is running on ${dataDir}/postgres. Stop it and start again.` };
  }
  if (/incompatible with server/.test(output)) {
    return {
      kind: 'stop',
      sentence: `${dataDir}/postgres was made by another major version of PostgreSQL. Go back to the svc version that made it, or ${OWN_SERVER}.`,
    };
  }
  if (/could not (map anonymous|create|resize) shared memory/.test(output)) {
    return {
      kind: 'stop',
      sentence: `The machine has too little free memory for the embedded PostgreSQL (about 200 MB). Free some, or ${OWN_SERVER}.`,
    };
  }
  if (/could not look up effective user ID/.test(output)) {
    return {
      kind: 'stop',
      sentence: `The user that runs svc has no entry in /etc/passwd, which PostgreSQL needs at the first start. Add one, or ${OWN_SERVER}.`,
    };
  }
  if (/GLIBC|error while loading shared libraries|cannot open shared object/.test(output)) {
    return {
      kind: 'stop',
      sentence: `The embedded PostgreSQL needs glibc 2.27 or newer, which this system lacks: ${OWN_SERVER}.`,
    };
  }
  return { kind: 'stop', sentence: `PostgreSQL did not start: ${lastWords(output)}` };
}

function diskFull(path: string): string {
  return `The disk that holds ${path} is full. Free some space and start again.`;
}

/** The line that names the reason, at most 500 characters. */
function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it gave no reason.';
  return reason.slice(0, 500);
}
