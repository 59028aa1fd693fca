import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DuePoller, DueTimes, type TimedWork } from '../platform/index.js';
import { SandboxClockNews, SandboxTime } from './sandbox-clock-news.js';
import { type MoveClock, SandboxClockRepository } from './store/sandbox-clock.repository.js';

/** Each check reads all waiting work, so the pause doubles. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 160;
/** Periods grow with a call's length, so that it ends even when work is due every minute. */
const MOMENTS: readonly { readonly untilMs: number; readonly lastsMs: number }[] = [
  { untilMs: 8_000, lastsMs: 1_000 },
  { untilMs: 12_000, lastsMs: 60_000 },
  { untilMs: Number.POSITIVE_INFINITY, lastsMs: 3_600_000 },
];
/** Longer than any external call: a webhook has 10 seconds. */
const WAITS_FOR_WORK_MS = 15_000;
/** For work that was still in progress after the first wait. */
const WAITS_AGAIN_MS = 500;
/** Idle connections are closed after 60 seconds. */
const CALL_LASTS_MS = 25_000;

export interface Travelled {
  readonly from: Date;
  readonly now: Date;
  /** False when the call's time was up: the next one continues. */
  readonly hasArrived: boolean;
}

type Look = Awaited<ReturnType<DueTimes['look']>>;

/**
 * Each stop waits for the work on every replica. Stops are stored, so a killed process loses
 * little.
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
   * @param targetOf Unix milliseconds
   * @throws Fault time_travel_in_progress while another call moves time
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

/** The end of the period in which the next work is due, or the target. */
function nextStop({ now, nextInMs }: Look, target: number, momentMs: number): number {
  return nextInMs === null ? target : Math.min(target, now + Math.max(nextInMs, momentMs));
}

function momentAfter(elapsedMs: number): number {
  return MOMENTS.find(({ untilMs }) => elapsedMs < untilMs)!.lastsMs;
}
