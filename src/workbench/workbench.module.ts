import { type DynamicModule, Module } from '@nestjs/common';
import { InstantLoansModule } from '../instant-loans/index.js';
import { JourneysModule } from '../journeys/index.js';
import { LeadsModule } from '../leads/index.js';
import type { Mode } from '../platform/index.js';
import { RequestLogModule } from '../request-log/index.js';
import { SandboxModule, SandboxPaymentModule } from '../sandbox/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { WorkbenchGuard } from './access/signed-in.js';
import { WorkbenchLinks, WorkbenchLinksController } from './access/workbench-links.js';
import { WorkbenchVisitors } from './access/workbench-visitors.js';
import { PayInstantLoan, SandboxPaymentController } from './api/sandbox-payment.controller.js';
import { SignInController, FrontPageController } from './pages/sign-in.controller.js';
import { JourneysController } from './pages/journeys.controller.js';
import { WorkbenchSandboxController } from './pages/sandbox.controller.js';
import { WebhookChangesController } from './pages/webhook-changes.controller.js';
import { WebhookPages } from './pages/webhook-pages.js';
import { WorkbenchWebhooksController } from './pages/webhooks.controller.js';
import { OverviewController } from './pages/overview.controller.js';
import { RequestsController } from './pages/requests.controller.js';
import { SignatureController } from './pages/signature.controller.js';
import { CallHistories } from './timeline/timeline-entry.js';
import { StartScenario } from './scenarios/start-scenario.js';
import { WorkbenchSessionsRepository } from './store/workbench-sessions.repository.js';

@Module({
  imports: [InstantLoansModule, JourneysModule, LeadsModule, RequestLogModule, WebhooksModule],
  controllers: [
    WorkbenchLinksController,
    SignInController,
    OverviewController,
    JourneysController,
    WorkbenchWebhooksController,
    WebhookChangesController,
    RequestsController,
  ],
  providers: [
    WorkbenchSessionsRepository,
    WorkbenchLinks,
    WorkbenchVisitors,
    WorkbenchGuard,
    CallHistories,
    WebhookPages,
  ],
})
export class WorkbenchModule {
  static forMode(mode: Mode): DynamicModule {
    if (mode === 'production') return { module: WorkbenchModule };
    return {
      module: WorkbenchModule,
      imports: [SandboxModule, SandboxPaymentModule],
      controllers: [
        FrontPageController,
        SignatureController,
        WorkbenchSandboxController,
        SandboxPaymentController,
      ],
      providers: [PayInstantLoan, StartScenario],
    };
  }
}
