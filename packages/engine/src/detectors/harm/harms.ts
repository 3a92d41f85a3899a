// The kinds of harm that are told apart.

/** Types of findings; each stands for the category `content.<type>`. */
export const HARMS = ['hate', 'harassment', 'violence', 'sexual', 'minors', 'self_harm', 'illicit', 'profanity'] as const;
export type Harm = (typeof HARMS)[number];
