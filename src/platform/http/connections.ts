import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import type { Metrics } from '../metrics/metrics.js';

export interface ConnectionLimits {
  /** Connections at one time. */
  readonly connections: number;
  /** Requests of one connection that are not answered yet. */
  readonly unanswered: number;
  /** After the end was announced: what clients get to send a whole request or read an answer. */
  readonly graceMs: number;
  /** After the end was announced: what a request that is being served gets. */
  readonly longestMs: number;
}

/** A client that sends more than this ahead of the answers wants memory, not answers. */
const MAX_UNANSWERED = 64;
const MAX_CONNECTIONS = 10_000;
/** For the database, receivers, lenders, files. */
const FILES_OF_OUR_OWN = 400;
/** The first connections are the stillest; where so many of them are served, all are busy. */
const LOOKED_AT_FOR_ROOM = 100;

const LIMITS: ConnectionLimits = {
  connections: Math.max(
    FILES_OF_OUR_OWN,
    Math.min(MAX_CONNECTIONS, maxOpenFiles() - FILES_OF_OUR_OWN),
  ),
  unanswered: MAX_UNANSWERED,
  graceMs: 5_000,
  longestMs: 12_000,
};

/**
 * The clients' connections. There is a most of them, and at that the one that has kept us waiting
 * for longest makes room for the next: whoever holds connections drives out their like, and not a
 * caller who has something to say. At the end it is the same: what we are working on is answered,
 * and who keeps us waiting is not waited for.
 */
export class Connections {
  /** With the answers that are still owed, in the order in which they last began or were answered. */
  private readonly open = new Map<Socket, Set<ServerResponse>>();
  private drained: Promise<void> | undefined;
  private metrics: Pick<Metrics, 'connections' | 'drivenOut'> | undefined;

  private readonly limits: ConnectionLimits;

  constructor(limits: Partial<ConnectionLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.take(socket));
  }

  reportTo(metrics: Pick<Metrics, 'connections' | 'drivenOut'>): void {
    this.metrics = metrics;
  }

  /** Notes a request. Answers whether it is to be served at all. */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const owed = this.open.get(socket);
    // What it sent before it was driven out is read to the end.
    if (!owed) return false;
    if (owed.size >= this.limits.unanswered) {
      this.driveOut(socket, 'ahead');
      return false;
    }
    owed.add(response);
    this.moveToEnd(socket, owed);
    response.once('close', () => {
      owed.delete(response);
      this.moveToEnd(socket, owed);
    });
    if (this.drained) response.setHeader('Connection', 'close');
    return true;
  }

  /**
   * Takes no more connections and resolves when there are none left. What has arrived, or arrives
   * within the grace, is answered.
   * @throws Error when a request was still being served after `longestMs`; it is cut off
   */
  drain(server: Server): Promise<void> {
    this.drained ??= this.endAll(server);
    return this.drained;
  }

  private async endAll(server: Server): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const owed of this.open.values()) {
      for (const response of owed) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
    }
    let isServing = false;
    const grace = setTimeout(() => this.hangUp((owed) => !isServed(owed)), this.limits.graceMs);
    const end = setTimeout(() => {
      isServing = [...this.open.values()].some(isServed);
      this.hangUp(() => true);
    }, this.limits.longestMs);
    await closed;
    clearTimeout(grace);
    clearTimeout(end);
    if (isServing) throw new Error('requests in flight were cut off');
  }

  private hangUp(isOver: (owed: Set<ServerResponse>) => boolean): void {
    for (const [socket, owed] of this.open) if (isOver(owed)) socket.destroy();
  }

  private take(socket: Socket): void {
    if (this.open.size >= this.limits.connections && !this.makeRoom()) {
      this.driveOut(socket, 'refused');
      return;
    }
    this.open.set(socket, new Set());
    this.metrics?.connections.set(this.open.size);
    socket.once('close', () => this.forget(socket));
  }

  private makeRoom(): boolean {
    let looked = 0;
    for (const [socket, owed] of this.open) {
      if (!isServed(owed)) {
        this.driveOut(socket, 'room');
        return true;
      }
      looked += 1;
      if (looked === LOOKED_AT_FOR_ROOM) break;
    }
    return false;
  }

  private driveOut(socket: Socket, reason: 'room' | 'refused' | 'ahead'): void {
    this.metrics?.drivenOut.inc({ reason });
    this.forget(socket);
    socket.destroy();
  }

  private forget(socket: Socket): void {
    this.open.delete(socket);
    this.metrics?.connections.set(this.open.size);
  }

  private moveToEnd(socket: Socket, owed: Set<ServerResponse>): void {
    if (this.open.delete(socket)) this.open.set(socket, owed);
  }
}

/** Whether it is our turn: a request has come whole, and its answer is not made yet. */
function isServed(owed: Set<ServerResponse>): boolean {
  return [...owed].some((response) => response.req.complete && !response.writableEnded);
}

/**
 * How many files, connections among them, this process may have open. Node has raised its limit to
 * the most that it is allowed. Infinite where the system does not tell.
 */
export function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
