import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DuePoller, DueTimes, type TimedWork } from '../platform/index.js';
import { SandboxClockNews } from './sandbox-clock-news.js';
import { SandboxTime } from './sandbox-time.js';
import { type MoveClock, SandboxClockRepository } from './store/sandbox-clock.repository.js';

/** Between two looks at what is due: each reads all that waits, so the pause doubles up to the longest. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 160;
/**
 * What falls due within a moment is done together. When a call has taken so long, there is something every minute or so:
 * the moments become longer, so that it ends.
 */
const MOMENTS: readonly { readonly untilMs: number; readonly lastsMs: number }[] = [
  { untilMs: 8_000, lastsMs: 1_000 },
  { untilMs: 12_000, lastsMs: 60_000 },
  { untilMs: Number.POSITIVE_INFINITY, lastsMs: 3_600_000 },
];
/** Longer than any deadline of what is asked outside: a post of a webhook's is given 10 seconds. */
const WAITS_FOR_WORK_MS = 15_000;
/** What could not be done once in that time is not waited for again for long. */
const WAITS_AGAIN_MS = 500;
/** Less than the 60 seconds after which a connection counts as dead. */
const CALL_LASTS_MS = 25_000;

/** Where a journey through time has got. */
export interface Travelled {
  readonly from: Date;
  readonly now: Date;
  /** False when there was more to do than one call has time for: the next call goes on. */
  readonly hasArrived: boolean;
}

type Look = Awaited<ReturnType<DueTimes['look']>>;

/**
 * Moves the sandbox's time forward, from one moment at which something falls due to the next, and waits at each
 * until it is done, on whatever replica: so everything happens in its order, at the time at which it was due. Where
 * the clock has got is stored at each stop, so a process that is killed on the way leaves nothing undone but the rest
 * of the way.
 */
@Injectable()
export class TimeTravel {
  constructor(
    private readonly clocks: SandboxClockRepository,
    private readonly times: DueTimes,
    private readonly poller: DuePoller,
    private readonly time: SandboxTime,
    private readonly news: SandboxClockNews,
  ) {}

  /**
   * @param targetOf milliseconds since the Unix epoch, of where time is now
   * @throws Fault time_travel_in_progress while another call moves it, on whatever replica
   */
  travel(targetOf: (now: number) => number): Promise<Travelled> {
    return this.clocks.alone((move) => this.travelBy(move, targetOf));
  }

  private async travelBy(move: MoveClock, targetOf: (now: number) => number): Promise<Travelled> {
    const startedAt = performance.now();
    const until = startedAt + CALL_LASTS_MS;
    const stuck = new Set<TimedWork>();
    await this.news.tell(await this.time.follow());
    let look = await this.times.look();
    const from = look.now;
    const target = targetOf(from);
    look = await this.untilDone(look, stuck, until);
    while (look.now < target && performance.now() < until) {
      const stop = nextStop(look, target, momentAfter(performance.now() - startedAt));
      await this.news.tell(await this.time.travel(Math.ceil(stop - look.now), move));
      look = await this.untilDone(await this.times.look(), stuck, until);
    }
    const hasArrived = look.now >= target && performance.now() < until;
    return { from: new Date(from), now: new Date(look.now), hasArrived };
  }

  /** Has what is due done, and what comes of it. */
  private async untilDone(first: Look, stuck: Set<TimedWork>, end: number): Promise<Look> {
    let look = first;
    const until = performance.now() + WAITS_FOR_WORK_MS;
    const untilAgain = performance.now() + WAITS_AGAIN_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const isOver = performance.now() > Math.min(until, end);
      const waitedFor = look.due.filter(
        (work) => !stuck.has(work) || performance.now() < untilAgain,
      );
      if (isOver) waitedFor.forEach((work) => stuck.add(work));
      if (isOver || waitedFor.length === 0) return look;
      this.poller.lookNow();
      await Promise.all(waitedFor.map(({ run }) => run?.() ?? Promise.resolve()));
      await sleep(pauseMs);
      look = await this.times.look();
    }
  }
}

/** The end of the moment in which the next thing falls due, or the target. */
function nextStop({ now, nextInMs }: Look, target: number, momentMs: number): number {
  return nextInMs === null ? target : Math.min(target, now + Math.max(nextInMs, momentMs));
}

/** How long a moment is, in milliseconds, when a call has taken so many. */
function momentAfter(elapsedMs: number): number {
  return MOMENTS.find(({ untilMs }) => elapsedMs < untilMs)!.lastsMs;
}
