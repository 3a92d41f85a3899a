// The connection pool and transactions.

import pg from 'pg';

/** What stores take: the pool itself or an open transaction. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(text: string | pg.QueryConfig, values?: readonly unknown[]): Promise<pg.QueryResult<Row>>;
}

export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

export interface Database extends Queryable {
  /** For lists and feeds: a few connections apart from the others. */
  readonly reader: Queryable;
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A connection of one's own, outside the pool; the caller ends it. */
  connect(name: string): Promise<pg.Client>;
  close(): Promise<void>;
}

/** How to reach PostgreSQL: a URL, or the parts of an address. */
export type ConnectionOptions = string | { host: string; port: number; user: string; password: string; database: string };

/** How many connections at most: for all, and for lists and feeds. */
export interface PoolSizes {
  readonly connections: number;
  readonly readers: number;
}

const POOL_SIZE = 10;
// Lists may read far; however many are asked for at once, they take no connection from those who assess.
const READER_POOL_SIZE = 3;
const READER_STATEMENT_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
// Signing in takes PostgreSQL some 10 ms (SCRAM), which would show in whichever request needs the connection.
const IDLE_TIMEOUT_MS = 600_000;
// A node that freezes in the middle of a transaction must not keep its locks from the others.
const IDLE_IN_TRANSACTION_MS = 15_000;
// No statement of the API is expected to take a tenth of it; a runaway one must not hold a connection.
const STATEMENT_TIMEOUT_MS = 8_000;
// A server that hangs without closing its connections answers nothing, not even that a statement took too long.
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Opens a pool. No connection is made yet. `onIdleError` hears of idle connections that were lost; the pool replaces them by itself.
 */
export function openDatabase(
  connection: ConnectionOptions,
  onIdleError: (err: Error) => void,
  { connections, readers: readersMax }: PoolSizes = { connections: POOL_SIZE, readers: READER_POOL_SIZE },
): Database {
  const options: pg.ClientConfig = {
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    application_name: 'svc',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    query_timeout: ANSWER_TIMEOUT_MS,
    options: sessionOptions(STATEMENT_TIMEOUT_MS),
  };
  const pool = new pg.Pool({ ...options, max: connections, idleTimeoutMillis: IDLE_TIMEOUT_MS });
  pool.on('error', onIdleError);
  const readers = new pg.Pool({
    ...options,
    application_name: 'svc reader',
    max: readersMax,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    options: sessionOptions(READER_STATEMENT_TIMEOUT_MS),
  });
  readers.on('error', onIdleError);
  return {
    query: (text, values) => pool.query(text as string, values as unknown[]),
    transaction: (work) => inTransaction(pool, work),
    async connect(name) {
      const client = new pg.Client({ ...options, application_name: name });
      await client.connect();
      return client;
    },
    reader: { query: (text, values) => readers.query(text as string, values as unknown[]) },
    async close() {
      await Promise.all([pool.end(), readers.end()]);
    },
  };
}

/** The session speaks UTC, so that dates in text form are those of the API. */
function sessionOptions(statementTimeoutMs: number): string {
  return `-c timezone=UTC -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`;
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that is lost between two statements says so here; without a listener it would end the process.
  const onLost = (err: Error) => (broken = err);
  client.on('error', onLost);
  try {
    await client.query('BEGIN');
    const result = await work({
      isTransaction: true,
      query: (text, values) => client.query(text as string, values as unknown[]),
    });
    await client.query('COMMIT');
    return result;
  } catch (err) {
    await client.query('ROLLBACK').catch((cause: unknown) => {
      broken = new Error('rollback failed', { cause });
    });
    throw err;
  } finally {
    client.removeListener('error', onLost);
    client.release(broken);
  }
}

// What Node says when a socket fails, and the driver when its connection is gone.
const SOCKET_FAULT = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
const DRIVER_FAULT =
  /connection terminated|timeout exceeded|read timeout|client has encountered a connection error|client was closed|not queryable/i;

/** True for faults of the connection or the server, after which the same statement may succeed; false for faults of the statement. */
export function isConnectionFault(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  // Class 08 connection exception, 53 insufficient resources, 57 operator intervention (shutdown, crash, statement timeout).
  // 40001 and 40P01: two transactions in each other's way, of which one was undone.
  if (err instanceof pg.DatabaseError) return /^(08|53|57|40001|40P01)/.test(err.code ?? '');
  return ('code' in err && typeof err.code === 'string' && SOCKET_FAULT.test(err.code)) || DRIVER_FAULT.test(err.message);
}
