import { Controller, Param, Req } from '@nestjs/common';
import {
  enteredIn,
  Fault,
  FormPost,
  type IdempotencyKey,
  type Page,
  type RawRequest,
  SeeOther,
  sha256,
} from '../../platform/index.js';
import {
  EVENT_NAMES,
  RegisterSubscription,
  RotateSecret,
  SubscriptionActivation,
  TestSubscription,
} from '../../webhooks/index.js';
import { NeedsWorkbenchScope, SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { shownTest, WebhookPages, WEBHOOKS } from './webhook-pages.js';
import { address } from './workbench-page.js';

/** Like the API's calls of the same names. */
@Controller('workbench/webhooks')
@SignedIn
@NeedsWorkbenchScope('webhooks:manage')
export class WebhookChangesController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly registering: RegisterSubscription,
    private readonly rotating: RotateSecret,
    private readonly testing: TestSubscription,
    private readonly activation: SubscriptionActivation,
  ) {}

  /** Shows the secret, also when the page is reloaded; no address contains it. */
  @FormPost()
  async register(@Visitor() visitor: WorkbenchVisitor, @Req() request: RawRequest): Promise<Page> {
    const entered = enteredIn(request);
    const { url = '' } = entered;
    const events = EVENT_NAMES.filter((name) => name in entered);
    try {
      const { partnerId } = visitor;
      const result = await this.registering.register(partnerId, { url, events }, keyOf(request));
      const { subscriptionId, ...shown } = result.answer;
      return await this.pages.one(
        visitor,
        await this.pages.own(visitor, subscriptionId),
        {},
        shown,
      );
    } catch (error) {
      if (!(error instanceof Fault) || !error.details) throw error;
      return this.pages.list(visitor, {
        url,
        events,
        wrong: `The URL ${error.details[0].message}.`,
      });
    }
  }

  /** Reloading the page repeats the test, which is harmless. */
  @FormPost(':subscriptionId/test')
  async test(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
  ): Promise<Page> {
    const subscription = await this.pages.own(visitor, id);
    const result = await this.testing.test(visitor.partnerId, id);
    return this.pages.one(visitor, subscription, {}, { tested: shownTest(result) });
  }

  @FormPost(':subscriptionId/enable')
  async enable(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
  ): Promise<SeeOther> {
    await this.activation.enable(visitor.partnerId, id);
    return new SeeOther(address(`${WEBHOOKS}/${id}`, { done: 'enabled' }));
  }

  @FormPost(':subscriptionId/disable')
  async disable(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
  ): Promise<SeeOther> {
    await this.activation.disable(visitor.partnerId, id);
    return new SeeOther(address(`${WEBHOOKS}/${id}`, { done: 'disabled' }));
  }

  /** Like `register`. */
  @FormPost(':subscriptionId/rotate-secret')
  async rotate(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
    @Req() request: RawRequest,
  ): Promise<Page> {
    const subscription = await this.pages.own(visitor, id);
    const { answer } = await this.rotating.rotate(visitor.partnerId, id, keyOf(request));
    return this.pages.one(visitor, subscription, {}, answer);
  }
}

/** Each page's form has its own token, so a second press of the button is a replay. */
function keyOf({ rawBody }: RawRequest): IdempotencyKey {
  return { key: sha256(rawBody), content: '' };
}
