/** How to repeat a bench after the machine was too busy. */
export const ALONE =
  'Run the bench while the machine does nothing else, and not at a low priority.';
