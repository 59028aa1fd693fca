import { HttpCode, Post } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import { PartnerApi, PartnerCall, ShownTime, ShownUrl } from '../../platform/index.js';
import { WorkbenchLinks } from '../access/workbench-links.js';
import { WORKBENCH_LIMITS } from '../store/workbench-sessions.repository.js';

class WorkbenchLinkView {
  @ShownUrl(
    'Where the workbench is opened, once. Hand it to your engineer alone.',
    'https://rinpath.example/workbench/enter/token',
  )
  url: string;

  @ShownTime(`Until when it can be opened: ${WORKBENCH_LIMITS.linkMinutes} minutes.`)
  expiresAt: string;
}

@PartnerApi('workbench-links')
export class WorkbenchLinksController {
  constructor(private readonly links: WorkbenchLinks) {}

  @PartnerCall({
    operationId: 'createWorkbenchLink',
    summary: 'Open the workbench',
    description:
      'Answers a single-use link to the workbench, the pages for a partner’s engineers. It opens a session of ' +
      `${WORKBENCH_LIMITS.sessionHours} hours for the partner and the scopes of the key. The session ends with the key. No body.`,
    answer: WorkbenchLinkView,
  })
  @Post()
  @HttpCode(200)
  @Scoped('workbench:open')
  async create(@CurrentPartner() partner: PartnerIdentity): Promise<WorkbenchLinkView> {
    const { url, expiresAt } = await this.links.issue(partner);
    return { url, expiresAt: expiresAt.toISOString() };
  }
}
