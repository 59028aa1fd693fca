import { expect, it } from 'vitest';
import { ProcessorMeter } from './processor-meter.js';

class HeldMeter extends ProcessorMeter {
  ms = 0;

  protected override threadMs(): number {
    return this.ms ?? 0;
  }
}

it('divides what the thread uses among the requests in progress', () => {
  const meter = new HeldMeter();
  meter.ms = 100;
  const first = meter.begin();
  meter.ms += 10;
  const second = meter.begin();
  meter.ms += 20;
  expect(second()).toBe(10);
  meter.ms += 5;
  expect(first()).toBe(25);
  meter.ms += 100;
  expect(meter.begin()()).toBe(0);
});

it('knows what the thread uses', () => {
  const end = new ProcessorMeter().begin();
  let sum = 0;
  for (let i = 0; i < 5_000_000; i += 1) sum += Math.sqrt(i);
  expect(sum).toBeGreaterThan(0);
  expect(end()).toBeGreaterThan(0);
});
