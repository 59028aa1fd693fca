import { Injectable } from '@nestjs/common';
import { StopConsequences, type StopRemains } from '../redirects/stop-consequences.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { HostedReader } from './hosted-reader.js';
import { Leaving } from './leaving.js';

@Injectable()
export class HostedStops {
  constructor(
    private readonly reader: HostedReader,
    private readonly leaving: Leaving,
    private readonly consequences: StopConsequences,
  ) {}

  async stop(key: HostedKey): Promise<void> {
    await this.leaving.stop(await this.reader.journey(key));
  }

  async remains(key: HostedKey): Promise<StopRemains> {
    return this.consequences.of(await this.reader.journey(key));
  }
}
