import { describe, expect, it } from 'vitest';
import { Fault } from '../../platform/index.js';
import { readWebhookRegistration } from './webhook-registration.js';

const URL = 'https://partner.example/hooks';

function detailsOf(body: Record<string, unknown>): unknown {
  try {
    readWebhookRegistration(body, false);
  } catch (error) {
    return (error as Fault).details;
  }
  return undefined;
}

describe('readWebhookRegistration', () => {
  it.each([[undefined], [null], [[]]])('takes events %j for every event', (events) => {
    expect(readWebhookRegistration({ url: ` ${URL} `, events }, false)).toEqual({
      url: URL,
      events: null,
    });
  });

  it('collapses an event that is named twice', () => {
    const events = ['journey.completed', 'journey.rejected', 'journey.completed'];
    expect(readWebhookRegistration({ url: URL, events }, false).events).toEqual([
      'journey.completed',
      'journey.rejected',
    ]);
  });

  it.each([
    [['journey.paid']],
    [['journey.completed', 7]],
    ['journey.completed'],
    [{ 0: 'journey.completed' }],
    [['toString']],
  ])('refuses events %j', (events) => {
    expect(detailsOf({ url: URL, events })).toEqual([
      { field: 'events', message: expect.stringContaining('journey.abandoned') as string },
    ]);
  });

  it('names every bad field', () => {
    expect(detailsOf({ url: 'http://partner.example/', events: ['no'] })).toMatchObject([
      { field: 'url' },
      { field: 'events' },
    ]);
  });
});
