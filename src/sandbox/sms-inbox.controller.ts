import { Controller, Get, Injectable, Query } from '@nestjs/common';
import {
  type SmsGateway,
  type SmsReceipt,
  type SmsToSend,
  SmsUnavailable,
} from '../messaging/index.js';
import { AnswersWithScreens, mobileOf, Page } from '../platform/index.js';
import { sandboxOutcome } from './reserved-pans.js';
import { type InboxMessage, MAX_KEPT, SmsInbox } from './store/sms-inbox.js';

const MAX_SHOWN = 100;
const REFRESH_SECONDS = 5;
const LINK = /(https?:\/\/\S+)/;

interface MessagePart {
  readonly words: string;
  readonly href?: string;
}

/** Only in an open sandbox: every visitor can read all messages. */
@Controller('sandbox')
export class SmsInboxController {
  constructor(private readonly inbox: SmsInbox) {}

  @Get('inbox')
  @AnswersWithScreens()
  async show(@Query('mobile') mobile?: string | string[]): Promise<Page> {
    const typed = numberIn(mobile);
    const asked = typed && mobileOf(typed);
    const messages = await this.inbox.newest(asked, MAX_SHOWN);
    return new Page('sandbox/inbox', {
      titleKey: 'sandbox.inbox.title',
      refreshSeconds: REFRESH_SECONDS,
      mobile: asked ?? '',
      messages: messages.map((message) => ({ ...message, parts: partsOf(message.text) })),
    });
  }

  /** For test suites and the demonstration. */
  @Get('inbox.json')
  async list(
    @Query('mobile') mobile?: string | string[],
  ): Promise<{ success: true; data: { messages: (InboxMessage & { links: string[] })[] } }> {
    const messages = await this.inbox.newest(numberIn(mobile), MAX_KEPT);
    return {
      success: true,
      data: {
        messages: messages.map((message) => ({ ...message, links: linksIn(message.text) })),
      },
    };
  }
}

function numberIn(mobile: string | string[] = ''): string | null {
  return [mobile].flat()[0]?.trim() || null;
}

function partsOf(text: string): MessagePart[] {
  return text
    .split(LINK)
    .filter((words) => words !== '')
    .map((words) => (LINK.test(words) ? { words, href: words } : { words }));
}

function linksIn(text: string): string[] {
  return partsOf(text).flatMap(({ href }) => href ?? []);
}

@Injectable()
export class SmsInboxGateway implements SmsGateway {
  readonly kind = 'inbox';

  constructor(private readonly inbox: SmsInbox) {}

  async send(sms: SmsToSend): Promise<SmsReceipt> {
    if (sandboxOutcome(sms.pan) === 'SMS_DOWN') {
      throw new SmsUnavailable('the simulated gateway is down');
    }
    await this.inbox.take(sms);
    return { gatewayMessageId: sms.id };
  }
}
