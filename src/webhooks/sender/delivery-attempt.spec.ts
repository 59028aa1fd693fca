import { Logger } from '@nestjs/common';
import { describe, expect, it, vi } from 'vitest';
import {
  OffsetClock,
  type OutboundAnswer,
  type OutboundThread,
  RandomSource,
  SystemClock,
} from '../../platform/index.js';
import type { SubscriptionSecrets } from '../subscriptions/subscription-secrets.js';
import { DeliveryAttempt, type Message } from './delivery-attempt.js';
import type { ServiceSettings } from '../../settings/index.js';

const MESSAGE: Message = {
  eventId: 'evt_1',
  eventName: 'journey.initiated',
  body: '{}',
  attempt: 1,
  lane: {
    subscriptionId: 'sub_1',
    url: 'https://partner.example/',
    secretSealed: 'sealed',
    previousSecretsSealed: [],
  },
};

function attemptAnswered(answer: OutboundAnswer): DeliveryAttempt {
  return new DeliveryAttempt(
    { post: () => Promise.resolve(answer) } as unknown as OutboundThread,
    { open: () => 'whsec_AAAA' } as unknown as SubscriptionSecrets,
    { brand: () => Promise.resolve({ slug: 'rinpath' }) } as unknown as ServiceSettings,
    new OffsetClock(),
    new SystemClock(),
    new RandomSource(),
  );
}

describe('DeliveryAttempt', () => {
  it.each([204, 503])('counts a %d whose rest it fails to read', async (status) => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    const unreadable = {
      status,
      durationMs: 7,
      excerpt: '',
      get headers(): never {
        throw new Error('a mistake of ours');
      },
    };
    expect(await attemptAnswered(unreadable).post(MESSAGE, 1_000)).toEqual({
      isSuccess: status === 204,
      isGone: false,
      responseStatus: status,
      responseExcerpt: null,
      failure: null,
      retryAfterMs: null,
      durationMs: 7,
    });
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});
