import { Fault } from '../../platform/index.js';
import type { StatementOwner } from '../domain/key-facts-view.js';

const RETRY_AFTER_SECONDS = 5;

interface QueueShares {
  readonly ofSubject: number;
  readonly ofPartner: number;
  readonly inAll: number;
}

interface Job {
  draw(): Promise<void>;
  refuse(): void;
}

/**
 * One drawing at a time. Partners take turns, and journeys within a partner; each has a share of the places. When all
 * places are taken, the partner with the most jobs loses its last one to a partner with fewer.
 */
export class DrawingQueue {
  // Insertion order is the order of turns.
  private readonly waiting = new Map<string, Map<string, Job[]>>();
  private isDrawing = false;

  constructor(private readonly shares: QueueShares) {}

  /** @throws Fault service_unavailable at the limit of the journey, the partner or the queue */
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

  /** @param own jobs that this partner has waiting */
  private makeRoom(own: number): boolean {
    const [, ofPartner] = longest(this.waiting, countOf);
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

function longest<Queue>(
  queues: ReadonlyMap<string, Queue>,
  lengthOf: (queue: Queue) => number,
): [string, Queue] {
  return [...queues].reduce((most, each) => (lengthOf(each[1]) >= lengthOf(most[1]) ? each : most));
}

function countOf(subjects: Map<string, Job[]>): number {
  return [...subjects.values()].reduce((sum, jobs) => sum + jobs.length, 0);
}
