import { describe, expect, it } from 'vitest';
import { Fault } from '../../platform/index.js';
import { DrawingQueue } from './drawing-queue.js';

const SHARES = { ofSubject: 2, ofPartner: 5, inAll: 8 };

/** A queue with a drawing in progress; later jobs are drawn in order after `letGo`. */
function heldQueue() {
  const queue = new DrawingQueue(SHARES);
  const drawn: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run({ partnerId: 'held', subjectId: 'held' }, () => gate.promise);
  /** The partner is the subject's first letter. */
  const ask = (subjectId: string) =>
    Promise.resolve()
      .then(() =>
        queue.run({ partnerId: subjectId[0], subjectId }, async () => void drawn.push(subjectId)),
      )
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
  it.each([
    [
      'serves partners in turns, and journeys within a partner, however much each asked for',
      'a1 a1 a2 a2 b1 c1',
      'a1 b1 c1 a2 a1 a2',
      [],
    ],
    ['refuses a journey that has used up its share, and no other', 'a1 a1 a1 a2', 'a1 a2 a1', [2]],
    [
      'refuses a partner that has used up its share, and no other',
      'a1 a2 a3 a4 a5 a6 b1',
      'a1 b1 a2 a3 a4 a5',
      [5],
    ],
    ['holds eight drawings', 'a1 b1 c1 d1 e1 f1 g1 h1 i1', 'a1 b1 c1 d1 e1 f1 g1 h1', [8]],
    // Removes a job of the journey with the most, then of others.
    [
      'makes room for a partner who waits for less, at the cost of who waits for most',
      'a1 a1 a2 a3 b1 b1 c1 c2 d1 d2',
      'a1 b1 c1 d1 a2 b1 c2 d2',
      [1, 3],
    ],
  ])('%s', async (_, asked, inOrder, refused) => {
    const { drawn, ask, letGo } = heldQueue();
    const outcomes = asked.split(' ').map(ask);
    await Promise.resolve();
    await letGo();
    const all = await Promise.all(outcomes);
    const others = all.flatMap((outcome, place) => (outcome === 'drawn' ? [] : [place]));
    expect([drawn.join(' '), others]).toEqual([inOrder, refused]);
    for (const place of refused) expect(all[place]).toBe('service_unavailable');
    expect(await ask('z1')).toBe('drawn');
  });

  it('goes on after one that fails', async () => {
    const { queue, ask, letGo } = heldQueue();
    const failing = queue.run({ partnerId: 'a', subjectId: 'a1' }, () =>
      Promise.reject(new Error('no such form')),
    );
    const next = ask('a1');
    await letGo();
    await expect(failing).rejects.toThrow('no such form');
    expect(await next).toBe('drawn');
  });
});
