import { Injectable } from '@nestjs/common';
import type { LeadDetails } from './leads.dto.js';

type DetailsReader = (partnerId: string, journeyId: string) => Promise<LeadDetails>;

/** The journeys know these details and depend on the leads, so they register how to read them. */
@Injectable()
export class LeadDetailsRegistry {
  private reader: DetailsReader = () => Promise.resolve({});

  register(reader: DetailsReader): void {
    this.reader = reader;
  }

  of(partnerId: string, journeyId: string): Promise<LeadDetails> {
    return this.reader(partnerId, journeyId);
  }
}
