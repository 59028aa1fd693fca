import { type DynamicModule, Module } from '@nestjs/common';
import { InstantLoansModule } from '../instant-loans/index.js';
import { JourneysModule } from '../journeys/index.js';
import { LeadsModule } from '../leads/index.js';
import type { Mode } from '../platform/index.js';
import { RequestLogModule } from '../request-log/index.js';
import { SandboxModule, SandboxPaymentModule } from '../sandbox/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { WorkbenchGuard } from './access/signed-in.js';
import { WorkbenchLinks } from './access/workbench-links.js';
import { WorkbenchVisitors } from './access/workbench-visitors.js';
import { SandboxPaymentController } from './api/sandbox-payment.controller.js';
import { WorkbenchLinksController } from './api/workbench-links.controller.js';
import { WorkbenchUpkeepTasks } from './background/workbench-upkeep.tasks.js';
import { DoorController, FrontDoorController } from './pages/door.controller.js';
import { GuideController } from './pages/guide.controller.js';
import { JourneysController } from './pages/journeys.controller.js';
import { WorkbenchSandboxController } from './pages/sandbox.controller.js';
import { WorkbenchWebhooksController } from './pages/webhooks.controller.js';
import { OverviewController } from './pages/overview.controller.js';
import { RequestsController } from './pages/requests.controller.js';
import { SignatureController } from './pages/signature.controller.js';
import { CallHistories } from './timeline/call-histories.js';
import { PayInstantLoan } from './scenarios/pay-instant-loan.js';
import { StartScenario } from './scenarios/start-scenario.js';
import { WorkbenchSessionsRepository } from './store/workbench-sessions.repository.js';

/** The pages for partners' engineers. */
@Module({
  imports: [InstantLoansModule, JourneysModule, LeadsModule, RequestLogModule, WebhooksModule],
  controllers: [
    WorkbenchLinksController,
    DoorController,
    OverviewController,
    JourneysController,
    WorkbenchWebhooksController,
    RequestsController,
    GuideController,
  ],
  providers: [
    WorkbenchSessionsRepository,
    WorkbenchLinks,
    WorkbenchVisitors,
    WorkbenchGuard,
    CallHistories,
    WorkbenchUpkeepTasks,
  ],
})
export class WorkbenchModule {
  /** In the sandbox the service's front page leads here, signatures are explained, and there is a page of what a sandbox alone can do. */
  static forMode(mode: Mode): DynamicModule {
    if (mode === 'production') return { module: WorkbenchModule };
    return {
      module: WorkbenchModule,
      imports: [SandboxModule, SandboxPaymentModule],
      controllers: [
        FrontDoorController,
        SignatureController,
        WorkbenchSandboxController,
        SandboxPaymentController,
      ],
      providers: [PayInstantLoan, StartScenario],
    };
  }
}
