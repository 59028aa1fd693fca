import { Logger } from '@nestjs/common';
import { messageOf } from '../errors/fault.js';
import { isConnectionLost, isReadOnly } from './connection-lost.js';

const TELL_EVERY_MS = 60_000;
// Some task writes every 5 s; reads succeed meanwhile, and say nothing about writes.
const WRITABLE_AGAIN_AFTER_MS = 8_000;
const MAX_CAUSES = 8;

const told = new WeakSet<Error>();

/** Whether an error, or what caused it, is the database's being away, which the log knows already. */
export function isToldOutage(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (told.has(current)) return true;
    current = current.cause;
  }
  return false;
}

/**
 * Knows whether the database is away or takes no writes, and tells the log: once when that begins,
 * once a minute while it lasts, once when it is over; of one that begins within a minute of the last words, nothing. So nobody else need log that the connection
 * was lost, however often they try.
 */
export class Outage {
  private readonly logger = new Logger('Database');
  private startedAt: number | null = null;
  private isTold = false;
  private refusedAt = Number.NEGATIVE_INFINITY;
  private readonly toldAt = new Map<string, number>();
  private isStopping = false;

  /** Takes note of a failure; one that has nothing to do with the connection changes nothing. */
  failed(error: unknown): void {
    if (!(error instanceof Error) || !isConnectionLost(error)) return;
    told.add(error);
    if (this.isStopping) return;
    const now = performance.now();
    this.startedAt ??= now;
    if (isReadOnly(error)) this.refusedAt = now;
    const what = isReadOnly(error) ? 'takes no writes' : 'is away';
    if (now - (this.toldAt.get(what) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return;
    this.toldAt.set(what, now);
    this.isTold = true;
    this.logger.error(`The database ${what}: ${messageOf(error)}`);
  }

  /** Marks a failure as known, so that nobody logs it. */
  explained(error: unknown): void {
    if (error instanceof Error) told.add(error);
  }

  get isGoingOn(): boolean {
    return this.startedAt !== null;
  }

  /** From now on connections end because the process does, which says nothing about the database. */
  stop(): void {
    this.isStopping = true;
  }

  answered(): void {
    if (this.startedAt === null) return;
    if (performance.now() - this.refusedAt < WRITABLE_AGAIN_AFTER_MS) return;
    const seconds = Math.round((performance.now() - this.startedAt) / 1_000);
    this.startedAt = null;
    if (this.isTold) this.logger.warn(`The database is back after ${seconds} s`);
    this.isTold = false;
  }
}
