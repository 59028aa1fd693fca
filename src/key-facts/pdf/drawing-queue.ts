import { Fault } from '../../platform/index.js';
import type { StatementOwner } from '../statement/key-facts-view.js';

const RETRY_AFTER_SECONDS = 5;

/** How many may wait at once. */
export interface QueueShares {
  readonly ofSubject: number;
  readonly ofPartner: number;
  readonly inAll: number;
}

interface Job {
  draw(): Promise<void>;
  refuse(): void;
}

/**
 * One drawing after the other, in turns: partners take turns, and within a partner its journeys, so
 * that whoever asks for much waits for himself. Each has a share of the places; one that has used it
 * up is refused, and the others are not. When all places are taken, the partner who waits for most
 * gives up the last one to a partner who waits for less.
 */
export class DrawingQueue {
  // Maps keep their order of insertion: who comes first is next, and goes to the end when served.
  private readonly waiting = new Map<string, Map<string, Job[]>>();
  private isDrawing = false;

  constructor(private readonly shares: QueueShares) {}

  /** @throws Fault service_unavailable when too many wait: of the journey, the partner, or in all */
  run<Result>(owner: StatementOwner, work: () => Promise<Result>): Promise<Result> {
    this.requireRoom(owner);
    return new Promise((resolve, reject) => {
      const draw = () => work().then(resolve, reject);
      this.put(owner, { draw, refuse: () => reject(tooMany()) });
      if (!this.isDrawing) void this.drawAll();
    });
  }

  private requireRoom({ partnerId, subjectId }: StatementOwner): void {
    const ofPartner = this.waiting.get(partnerId) ?? new Map<string, Job[]>();
    const { ofSubject, ofPartner: most, inAll } = this.shares;
    const own = countOf(ofPartner);
    if ((ofPartner.get(subjectId)?.length ?? 0) >= ofSubject || own >= most) throw tooMany();
    const all = [...this.waiting.values()].reduce((sum, each) => sum + countOf(each), 0);
    if (all >= inAll && !this.makeRoom(own)) throw tooMany();
  }

  /** @param own how much the partner waits for already who is in need of a place */
  private makeRoom(own: number): boolean {
    const [, ofPartner] = longest(this.waiting, countOf);
    // Among partners who wait for as much there is nobody to give way.
    if (countOf(ofPartner) <= own + 1) return false;
    const [subjectId, jobs] = longest(ofPartner, ({ length }) => length);
    jobs.pop()?.refuse();
    if (jobs.length === 0) ofPartner.delete(subjectId);
    return true;
  }

  private put({ partnerId, subjectId }: StatementOwner, job: Job): void {
    const ofPartner = this.waiting.get(partnerId) ?? new Map<string, Job[]>();
    const ofSubject = ofPartner.get(subjectId) ?? [];
    ofSubject.push(job);
    ofPartner.set(subjectId, ofSubject);
    this.waiting.set(partnerId, ofPartner);
  }

  private async drawAll(): Promise<void> {
    this.isDrawing = true;
    for (let job = this.next(); job; job = this.next()) await job.draw();
    this.isDrawing = false;
  }

  private next(): Job | undefined {
    const [partner] = this.waiting;
    if (!partner) return undefined;
    const [partnerId, ofPartner] = partner;
    const [[subjectId, jobs]] = ofPartner;
    const job = jobs.shift();
    ofPartner.delete(subjectId);
    if (jobs.length > 0) ofPartner.set(subjectId, jobs);
    this.waiting.delete(partnerId);
    if (ofPartner.size > 0) this.waiting.set(partnerId, ofPartner);
    return job;
  }
}

function tooMany(): Fault {
  return new Fault('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Of equals the last. */
function longest<Queue>(
  queues: ReadonlyMap<string, Queue>,
  lengthOf: (queue: Queue) => number,
): [string, Queue] {
  return [...queues].reduce((most, each) => (lengthOf(each[1]) >= lengthOf(most[1]) ? each : most));
}

function countOf(subjects: Map<string, Job[]>): number {
  return [...subjects.values()].reduce((sum, jobs) => sum + jobs.length, 0);
}
