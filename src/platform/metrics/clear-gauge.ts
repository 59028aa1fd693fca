import type { Gauge } from 'prom-client';

/** Leaves the gauge without a value; `reset` sets one without labels to 0. */
export function clearGauge(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}
