import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../platform/index.js';
import type {
  ArrivedRequest,
  PartnerRequestsRepository,
} from './store/partner-requests.repository.js';
import { RequestLogWriter } from './request-log-writer.js';

const MAX_WAITING = 20_000;

/** The simulated failure of the database. */
let state: { failure?: Error; isStuck?: boolean };
let written: ArrivedRequest[];
let tries: number;
let refused: Map<ArrivedRequest, string | undefined>;
let writer: RequestLogWriter;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  [state, written, tries, refused] = [{}, [], 0, new Map()];
  const write = async (batch: ArrivedRequest[]) => {
    tries += 1;
    const bad = batch.find((request) => refused.has(request));
    if (bad) throw Object.assign(new Error('no'), { code: refused.get(bad) });
    if (state.failure) throw state.failure;
    if (state.isStuck) await new Promise(() => undefined);
    written.push(...batch);
  };
  const requests = { write, writeAgain: write } as unknown as PartnerRequestsRepository;
  writer = new RequestLogWriter(requests, new Metrics());
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function add(count: number, isAuthenticated = true): void {
  for (let n = 0; n < count; n += 1) writer.add({ isAuthenticated } as ArrivedRequest);
}

function addRefused(code: string | undefined): void {
  const request = { id: `req_${refused.size}`, isAuthenticated: true } as ArrivedRequest;
  refused.set(request, code);
  writer.add(request);
}

async function dropped(): Promise<Record<string, number>> {
  const { values } = await writer.dropped.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]));
}

describe('the writer of the log', () => {
  it('holds a bounded number, drops what comes beyond and counts it', async () => {
    state.isStuck = true;
    add(MAX_WAITING + 7);
    await vi.advanceTimersByTimeAsync(1);
    add(5);
    expect(await dropped()).toEqual({ full: 12 });
  });

  it('lets calls of unknown senders take a quarter of the room alone', async () => {
    state.isStuck = true;
    add(MAX_WAITING, false);
    expect(await dropped()).toEqual({ full: MAX_WAITING * 0.75 });
    add(MAX_WAITING * 0.75);
    expect(await dropped()).toEqual({ full: MAX_WAITING * 0.75 });
  });

  it('keeps a batch while the database is away, and writes it once it is back', async () => {
    state.failure = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    add(3);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(written.length).toBe(0);
    state.failure = undefined;
    await vi.advanceTimersByTimeAsync(1_100);
    expect(written.length).toBe(3);
    expect(await dropped()).toEqual({});
  });

  it.each(['22P05', '23505', '54000', undefined])(
    'drops alone the calls that are refused with the code %s, counts them, and goes on',
    async (code) => {
      add(300);
      addRefused(code);
      add(400);
      addRefused(code);
      add(100);
      await vi.advanceTimersByTimeAsync(1);
      expect(written.length).toBe(800);
      expect(written.some((request) => refused.has(request))).toBe(false);
      expect(await dropped()).toEqual({ unwritable: 2 });
      add(1);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(written.length).toBe(801);
    },
  );

  it('asks no more than some two hundred times for a batch of which every call is refused', async () => {
    for (let n = 0; n < 1_000; n += 1) addRefused('23502');
    await vi.advanceTimersByTimeAsync(1);
    expect(await dropped()).toEqual({ unwritable: 1_000 });
    expect(tries).toBeLessThanOrEqual(201);
  });

  it('writes what waits before the end, and gives up in a second what cannot be written', async () => {
    add(1);
    await vi.advanceTimersByTimeAsync(1);
    add(2);
    const ended = writer.onApplicationShutdown();
    await vi.advanceTimersByTimeAsync(600);
    await ended;
    expect(written.length).toBe(3);
    state.isStuck = true;
    add(1);
    let isOver = false;
    void writer.onApplicationShutdown().then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(900);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isOver).toBe(true);
  });
});
