import { Injectable } from '@nestjs/common';
import { RandomSource } from '../../platform/index.js';

/** The channel of NOTIFY; its payload is the name of the process that speaks. */
export const DUE_CHANNEL = 'webhook_deliveries_due';

/** By which a process knows its own voice. */
@Injectable()
export class ProcessName {
  readonly name: string;

  constructor(random: RandomSource) {
    this.name = random.bytes(12).toString('hex');
  }
}
