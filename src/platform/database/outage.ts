import { Logger } from '@nestjs/common';
import { messageOf } from '../errors/fault.js';
import { isConnectionLost, isReadOnly } from './connection-lost.js';

const LOG_EVERY_MS = 60_000;
// Some task writes every 5 s; successful reads prove nothing about writes.
const WRITABLE_AGAIN_AFTER_MS = 8_000;
const MAX_CAUSES = 8;

const logged = new WeakSet<Error>();

export function isLoggedOutage(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (logged.has(current)) return true;
    current = current.cause;
  }
  return false;
}

/** Logs at most once a minute; other code then logs no lost connections. */
export class Outage {
  private readonly logger = new Logger('Database');
  private startedAt: number | null = null;
  private isLogged = false;
  private refusedAt = Number.NEGATIVE_INFINITY;
  private readonly loggedAt = new Map<string, number>();
  private isStopping = false;

  /** Ignores errors unrelated to the connection. */
  failed(error: unknown): void {
    if (!(error instanceof Error) || !isConnectionLost(error)) return;
    logged.add(error);
    if (this.isStopping) return;
    const now = performance.now();
    this.startedAt ??= now;
    if (isReadOnly(error)) this.refusedAt = now;
    const what = isReadOnly(error) ? 'accepts no writes' : 'is unavailable';
    if (now - (this.loggedAt.get(what) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.loggedAt.set(what, now);
    this.isLogged = true;
    this.logger.error(`The database ${what}: ${messageOf(error)}`);
  }

  explained(error: unknown): void {
    if (error instanceof Error) logged.add(error);
  }

  get isGoingOn(): boolean {
    return this.startedAt !== null;
  }

  /** From now on, connections end because the process stops. */
  stop(): void {
    this.isStopping = true;
  }

  answered(): void {
    if (this.startedAt === null) return;
    if (performance.now() - this.refusedAt < WRITABLE_AGAIN_AFTER_MS) return;
    const seconds = Math.round((performance.now() - this.startedAt) / 1_000);
    this.startedAt = null;
    if (this.isLogged) this.logger.warn(`The database is available again after ${seconds} s`);
    this.isLogged = false;
  }
}
