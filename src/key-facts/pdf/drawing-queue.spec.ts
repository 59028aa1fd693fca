import { describe, expect, it } from 'vitest';
import { Fault } from '../../platform/index.js';
import { DrawingQueue } from './drawing-queue.js';

const SHARES = { ofSubject: 2, ofPartner: 5, inAll: 8 };

async function heldQueue() {
  const queue = new DrawingQueue(SHARES);
  const drawn: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run({ partnerId: 'held', subjectId: 'held' }, () => gate.promise);
  const ask = (partnerId: string, subjectId: string) =>
    Promise.resolve()
      .then(() => queue.run({ partnerId, subjectId }, async () => void drawn.push(subjectId)))
      .then(
        () => 'drawn',
        (error: unknown) => (error instanceof Fault ? error.code : 'failed'),
      );
  const letGo = async () => {
    gate.resolve();
    await first;
  };
  return { queue, drawn, ask, letGo };
}

describe('a queue of drawings', () => {
  it('serves partners in turns, and journeys within a partner, however much each asked for', async () => {
    const { drawn, ask, letGo } = await heldQueue();
    const asked = ['a1', 'a1', 'a2', 'a2'].map((subject) => ask('a', subject));
    asked.push(ask('b', 'b1'), ask('c', 'c1'));
    await Promise.resolve();
    await letGo();
    expect(await Promise.all(asked)).toEqual(Array(6).fill('drawn'));
    expect(drawn).toEqual(['a1', 'b1', 'c1', 'a2', 'a1', 'a2']);
  });

  it('refuses a journey that has used up its share, and no other of its partner', async () => {
    const { ask, letGo } = await heldQueue();
    const asked = ['a1', 'a1', 'a1', 'a2'].map((subject) => ask('a', subject));
    await Promise.resolve();
    await letGo();
    const all = await Promise.all(asked);
    expect(all).toEqual(['drawn', 'drawn', 'service_unavailable', 'drawn']);
  });

  it('refuses a partner that has used up its share, and no other partner', async () => {
    const { ask, letGo } = await heldQueue();
    const asked = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((subject) => ask('a', subject));
    asked.push(ask('b', 'b1'));
    await Promise.resolve();
    await letGo();
    const all = await Promise.all(asked);
    expect(all).toEqual([...Array(5).fill('drawn'), 'service_unavailable', 'drawn']);
  });

  it('holds eight drawings, and takes more when they are drawn', async () => {
    const { ask, letGo } = await heldQueue();
    const asked = Array.from({ length: 9 }, (_, place) => ask(`p${place}`, `s${place}`));
    await Promise.resolve();
    await letGo();
    const all = await Promise.all(asked);
    expect(all).toEqual([...Array(8).fill('drawn'), 'service_unavailable']);
    expect(await ask('p9', 's9')).toBe('drawn');
  });

  it('makes room for a partner who waits for less, at the cost of who waits for most', async () => {
    const { drawn, ask, letGo } = await heldQueue();
    const crowd = ['a1', 'a1', 'a2', 'a3', 'b1', 'b1', 'c1', 'c2'];
    const asked = crowd.map((subject) => ask(subject[0], subject));
    asked.push(ask('d', 'd1'), ask('d', 'd2'));
    await Promise.resolve();
    await letGo();
    const all = await Promise.all(asked);
    // First the longest journey queue loses a job, then another one.
    const refused = all.flatMap((outcome, place) => (outcome === 'drawn' ? [] : [place]));
    expect(refused).toEqual([1, 3]);
    expect(drawn).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b1', 'c2', 'd2']);
  });

  it('goes on after one that fails', async () => {
    const { queue, ask, letGo } = await heldQueue();
    const failing = queue.run({ partnerId: 'a', subjectId: 'a1' }, () =>
      Promise.reject(new Error('no such form')),
    );
    const next = ask('a', 'a1');
    await letGo();
    await expect(failing).rejects.toThrow('no such form');
    expect(await next).toBe('drawn');
  });
});
