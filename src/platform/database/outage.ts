import { Logger } from '@nestjs/common';
import { isConnectionLost } from './connection-lost.js';

const TELL_EVERY_MS = 60_000;
const MOST_CAUSES = 8;

const told = new WeakSet<Error>();

/** Whether an error, or what caused it, is the database's being away, which the log knows already. */
export function isToldOutage(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MOST_CAUSES && current instanceof Error; depth += 1) {
    if (told.has(current)) return true;
    current = current.cause;
  }
  return false;
}

/**
 * Knows whether the database is away, and tells the log: once when that begins, once a minute while
 * it lasts, once when it is over. So nobody else need log that the connection was lost, however
 * often they try.
 */
export class Outage {
  private readonly logger = new Logger('Database');
  private startedAt: number | null = null;
  private toldAt = Number.NEGATIVE_INFINITY;

  /** Takes note of a failure; one that has nothing to do with the connection changes nothing. */
  failed(error: unknown): void {
    if (!(error instanceof Error) || !isConnectionLost(error)) return;
    told.add(error);
    const now = performance.now();
    this.startedAt ??= now;
    if (now - this.toldAt < TELL_EVERY_MS) return;
    this.toldAt = now;
    this.logger.error(`The database is away: ${error.message}`);
  }

  answered(): void {
    if (this.startedAt === null) return;
    const seconds = Math.round((performance.now() - this.startedAt) / 1_000);
    this.startedAt = null;
    this.logger.warn(`The database is back after ${seconds} s`);
  }
}
