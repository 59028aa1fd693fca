/** How to run a bench that a machine was too busy for. */
export const ALONE =
  'Run the bench while the machine does nothing else, and not at a low priority.';
