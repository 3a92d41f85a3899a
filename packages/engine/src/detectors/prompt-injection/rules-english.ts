// Signs of attacks in English, as data. Weights were set on labelled texts, with ordinary traffic as the counterweight.

import { patternOf, type Rule } from './rule.ts';

const DISCARD =
  "(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|overrule|bypass|neglect|discard|drop|skip|cancel|erase|dismiss|abandon|delete|overlook|reset|disobey|wipe|unlearn|set aside|put aside|leave behind|throw (?:away|out)|pay no attention to|(?:do not|don't|dont|never|stop|not) (?:follow(?:ing)?|obey(?:ing)?|adher(?:e|ing) to|listen(?:ing)? to))";
const FILLER_WORD =
  '(?:about|all|any|every|each|everything|one|of|in|from|the|your|those|these|this|that|my|our|its|to|other|original|and|future|following|system|safety|content|whatever|existing|current|initial|first|old|default|given|stated|user|said)';
const FILLER = `(?: ${FILLER_WORD})`;
const PRIOR =
  '(?:previous|previously|prior|past|earlier|former|foregoing|preceding|above|initial|original|existing|current|before|aforementioned|upstream)';
const ORDERS =
  '(?:instructions?(?! (?:sheet|on|manual|booklet))|directives?|directions|prompts?(?! in the)|guidelines|programming|orders|commands|constraints|restrictions|policies|rules|context|messages|tasks|assignments|training|system prompt|safeguards|protocols?|limitations|information|inputs?|conversation|questions?|articles|documents?|text|statements?|content)';
const STRICT_ORDERS =
  '(?:instructions|directives|prompts|system prompt|guidelines|programming|orders|commands|constraints|restrictions|policies|rules|context|messages|tasks|assignments|safeguards|protocols|limitations|directions)';
const OPENING =
  '(?:^ ?|[.!?:;,>#*\\]"\'(\\n] ?|\\b(?:please|must|should|to|and|now|you|actually|then|will|just|could you|can you) )';
const GIVEN =
  "(?:above|before|earlier|previously|from above|from before|(?:that )?(?:you|i|we) (?:were|was|have|had|got|received|gave)|you(?:'ve| have) (?:been )?(?:given|received|told)|so far|in this (?:document|conversation|chat)|given (?:to you|above|before))";
const EXTRACT =
  "(?:repeat|print|show|reveal|output|display|tell|give|share|leak|expose|quote|spell out|copy|translate|summari[sz]e|write|encode|dump|recite|what(?:'s| is| are| were| was)|list|disclose|provide|return|paste|echo|type|render|describe|send|read|express|start|include|know|see|reply with|respond with)";
const HIDDEN =
  '(?:(?:your|the|these|its) (?:full |entire |exact |complete |original |secret |hidden |internal |initial |own )?(?:system prompt|system messages?|initial (?:instructions|prompt)|hidden (?:instructions|prompt|rules)|secret (?:instructions|rules|prompt)|internal (?:instructions|guidelines|rules)|developer (?:message|instructions|prompt)|original (?:instructions|prompt)|pre-?prompt|prompt text)|your (?:exact |own |current |full |complete |entire )?(?:instructions|prompts?|configuration|rules|directives|initiali[sz]ation|guidelines|prompt-?texts?)|(?:the )?(?:instructions|prompt|rules|guidelines) (?:that )?(?:you (?:were|have been|are|have) (?:given|told)|given to you)|(?:the )?(?:text|content|words|messages?|everything|instructions|prompt|lines?) (?:above|before my)|(?:the |your )?(?:first|previous|initial) (?:message|prompt) (?:of|in) (?:this|our|the) (?:conversation|chat)|initiali[sz]ation string|(?:all )?(?:the )?tools and functions you)';

/** English rules. The order does not matter. */
export const ENGLISH_RULES: readonly Rule[] = [
  {
    id: 'override_prior',
    family: 'instruction_override',
    needs: ['discard', 'orders'],
    weight: 0.9,
    isWording: true,
    pattern: patternOf(
      '\\b',
      DISCARD,
      FILLER,
      '{0,5} ',
      PRIOR,
      FILLER,
      '{0,4}(?: (?:and|or) (?:following|future|subsequent))?(?: ',
      FILLER_WORD,
      ')? ',
      ORDERS,
      '\\b',
    ),
    explanation: 'tells the model to set aside its earlier instructions',
  },
  {
    id: 'override_given',
    family: 'instruction_override',
    needs: ['discard', 'orders'],
    weight: 0.85,
    isWording: true,
    pattern: patternOf('\\b', DISCARD, FILLER, '{0,5} ', ORDERS, '(?: and (?:rules|instructions|guidelines))? ', GIVEN, '\\b'),
    explanation: 'tells the model to set aside what it was given',
  },
  {
    id: 'override_orders',
    family: 'instruction_override',
    needs: ['discard', 'orders'],
    weight: 0.62,
    contextWeight: 0.7,
    isWording: true,
    pattern: patternOf(
      OPENING,
      DISCARD,
      '(?:',
      FILLER,
      '|',
      ' (?:previous|prior|past|former|preceding|earlier)){0,5} ',
      STRICT_ORDERS,
      '\\b(?! (?:tab|section|field|page|for|on|in the (?:manual|readme|box)))',
    ),
    explanation: 'tells the model to drop its instructions or rules',
  },
  {
    id: 'forget_everything',
    family: 'instruction_override',
    needs: ['discard', 'orders'],
    weight: 0.75,
    isWording: true,
    pattern: patternOf(
      '\\b(?:forget|ignore|disregard|erase|neglect|discard|cancel|delete|drop|abandon|dismiss|override|pay no attention to)(?: about)? (?:everything|anything|whatever|all)(?: (?:that|of|in|the|what))? ?(?: ?(?:you|i|we|above|before|prior|previous|previously|earlier|said|told|mentioned|so far|which|was|were|known?|context|orders|data|and (?:just|only|say|write|jsut|do)\\b))',
    ),
    explanation: 'tells the model to forget what it knows',
  },
  {
    id: 'ignore_above',
    family: 'instruction_override',
    needs: ['discard', 'orders'],
    weight: 0.7,
    isWording: true,
    pattern: patternOf(
      '\\b(?:ignore|disregard|forget|skip)(?: everything| all)?(?: of)?(?: the)?(?: text| lines?| question| context)? (?:above|preceding|foregoing)(?: and\\b| text\\b|[.,;:]|\\b$)',
    ),
    explanation: 'tells the model to ignore what stands above',
  },
  {
    id: 'ignore_question',
    family: 'instruction_override',
    needs: ['discard', 'orders'],
    weight: 0.6,
    isWording: true,
    pattern: patternOf(
      "\\b(?:(?:do not|don't|do'?nt|instead of) answer(?:ing)?(?: to)? (?:the|this|any|that)(?: (?:previous|user's|above))? questions?|ignore (?:the|this|any) (?:user's )?(?:question|request|query|webpage|paper|resume|article|page)s? and)\\b",
    ),
    explanation: 'tells the model not to do what it was asked',
  },
  {
    id: 'new_instructions',
    family: 'instruction_override',
    needs: ['renew'],
    weight: 0.55,
    isWording: true,
    pattern: patternOf(
      '(?:\\b(?:your|the|a|here (?:is|are) (?:your|the)|^|[.!:;] ?)(?: ?(?:new|real|actual|updated|only|next|first)) (?:and important )?(?:tasks?|instructions?|directives?|role|job|objective|orders|goal|mission|rules|prompt|persona|identity) ?(?:is|are|:)|your (?:instructions|rules|task|orders) have (?:been )?(?:changed|updated|replaced)|your job now is|follow this directive exactly)',
    ),
    explanation: 'gives the model a new task',
  },
  {
    id: 'from_now_on',
    family: 'instruction_override',
    needs: ['renew'],
    weight: 0.4,
    isWording: true,
    pattern: patternOf(
      '\\b(?:from now on,? you|the next step is to\\b|hencefort?h,? you|stop everything|i (?:now )?have a (?:great )?new (?:challenge|task)|new challenge for you)',
    ),
    explanation: 'changes what the model is to do from here on',
  },
  {
    id: 'focus_switch',
    family: 'instruction_override',
    needs: ['renew'],
    weight: 0.5,
    isWording: true,
    pattern: patternOf(
      '\\b(?:help with another task|now focus on your new task|new important task|start(?:ing)? (?:over )?with a new task|move on to a new task|new tasks? (?:now )?follows?)',
    ),
    explanation: 'turns the model to another task',
  },
  {
    id: 'chat_template',
    family: 'fake_turn',
    needs: ['turn'],
    weight: 0.75,
    contextWeight: 0.9,
    isWording: false,
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_of_turn|begin_of_text)\|>|\[\/?INST\]|<<\/?SYS>>|<start_of_turn>|<\/?(?:system|instruction)(?:_prompt|_message)?>/i,
    explanation: 'holds control tokens of a chat template',
  },
  {
    id: 'fake_heading',
    family: 'fake_turn',
    needs: ['turn'],
    weight: 0.62,
    contextWeight: 0.8,
    isWording: false,
    pattern:
      /(?:^|\n)\s{0,4}#{1,4}\s{0,2}(?:system(?: prompt| message)?|instruction)s?\s{0,2}(?::|\n|$)|\[system\]\s{0,2}[(:]|<!--\s{0,3}(?:assistant|system|ai|instructions?)\s{0,2}:|-{2,10}\s{0,2}end of (?:document|context|input|text|prompt)\s{0,2}-{2,10}|<information>\s{0,3}this is|<important>/i,
    explanation: 'imitates a turn of the conversation or the end of a document',
  },
  {
    id: 'system_override',
    family: 'fake_turn',
    needs: ['turn'],
    weight: 0.7,
    contextWeight: 0.85,
    isWording: true,
    pattern: patternOf(
      '(?:\\b(?:system|admin|security) override\\b ?[:!\\]-]|\\burgent (?:security|system) (?:update|notice) ?:|(?:^|\\n|[.!?] )(?:system|developer|admin) (?:note|message|update|command|instruction|alert)s? ?:)',
    ),
    explanation: 'speaks as the system',
  },
  {
    id: 'json_turn',
    family: 'fake_turn',
    needs: ['turn'],
    weight: 0.4,
    contextWeight: 0.75,
    isWording: false,
    pattern: /\{\s{0,3}["']role["']\s{0,2}:\s{0,2}["'](?:system|developer)["']/i,
    explanation: 'holds a system message in the form of an interface',
  },
  {
    id: 'hidden_note',
    family: 'indirect_instruction',
    needs: ['turn'],
    weight: 0.55,
    contextWeight: 0.75,
    isWording: true,
    pattern: patternOf('\\b(?:hidden (?:note|text|instructions?|message) ?[(:]|\\(white text\\)|\\(invisible\\))'),
    explanation: 'announces a hidden note',
  },
  {
    id: 'system_turn',
    family: 'fake_turn',
    needs: ['turn'],
    weight: 0.52,
    contextWeight: 0.7,
    isWording: false,
    pattern: /(?:^|\n|[.!?]\s{1,2}|["'>])\s{0,2}\[?SYSTEM\]?:\s{1,2}(?=[a-z`])/,
    explanation: 'holds a line that poses as a system message',
  },
  {
    id: 'priority_claim',
    family: 'fake_turn',
    needs: ['turn'],
    weight: 0.55,
    contextWeight: 0.75,
    isWording: true,
    pattern: patternOf(
      '\\b(?:important|attention|urgent)[!:]{1,2} ?(?:before (?:anything else|answering|you (?:answer|continue|respond|reply|proceed|summari[sz]e))|(?:ai|assistant|llm|model)s?\\b|when (?:answering|summari[sz]ing))',
    ),
    explanation: 'claims priority over everything else',
  },
  {
    id: 'authority_claim',
    family: 'instruction_override',
    needs: ['authority'],
    weight: 0.55,
    contextWeight: 0.75,
    isWording: true,
    pattern: patternOf(
      "\\b(?:as (?:the|your|an?) (?:administrator|admin|developer|creator|owner)(?:, | ){1,2}i (?:order|command|instruct|authori[sz]e)|i am (?:your|an?|the)(?: \\w{1,15})? (?:developer|creator|owner|programmer|admin(?:istrator)?)\\b|i(?:'m| am) your (?:god|master)|the user (?:has|have) (?:already )?authori[sz]ed you to|important message from me, the user|(?:message|notice) from openai)",
    ),
    explanation: 'claims the authority of a developer or administrator',
  },
  {
    id: 'addressed_to_model',
    family: 'indirect_instruction',
    needs: ['address'],
    weight: 0.6,
    contextWeight: 0.85,
    isWording: true,
    pattern: patternOf(
      '(?:\\b(?:(?:note|message|notice|attention|reminder) (?:to|for) (?:the |any |all )?(?:ai|llm|language model|assistant|chatbot|model)|instructions? (?:to|for) (?:the |any |all )?(?:ai|llm|language model))s?\\b|\\bif you are (?:an? |the )(?:large )?(?:language model|ai\\b|llm|chatbot|assistant|automated)|\\bas an ai (?:assistant|model|agent|language model)? ?(?:processing|reading|summari[sz]ing|reviewing)|\\battention,? (?:ai|assistant|llm|language model|chatbot)s?\\b|\\bdear (?:ai|llm|chatgpt|assistant|language model)\\b|\\b(?:ai|llm|language models?|assistants?|chatbots?) (?:reading|processing|summari[sz]ing|that reads?|who reads?) this)',
    ),
    explanation: 'addresses the model that reads it',
  },
  {
    id: 'when_summarising',
    family: 'indirect_instruction',
    needs: ['address'],
    weight: 0.35,
    contextWeight: 0.75,
    isWording: true,
    pattern: patternOf(
      '\\b(?:when|while|before|after|if) (?:you )?(?:summari[sz](?:e|ing)|process(?:ing)?|answer(?:ing)?|translat(?:e|ing)|read(?:ing)?) (?:this|the) (?:document|page|text|e-?mail|article|content|message|file)?,? ?(?:also|you must|please also|make sure|always|include|add|first|instead)',
    ),
    explanation: 'adds orders to a summary or an answer',
  },
  {
    id: 'assistant_call',
    family: 'instruction_override',
    needs: ['address', 'discard'],
    weight: 0.4,
    contextWeight: 0.5,
    isWording: true,
    pattern: patternOf('(?:^|[.!?\\n"] ?)(?:assistant|ai|chatgpt|gpt|bot)[,:!] ', '(?:please |you must |now )?', DISCARD, '\\b'),
    explanation: 'calls the model by name to set something aside',
  },
  {
    id: 'assistant_sent',
    family: 'exfiltration',
    needs: ['address', 'send', 'place'],
    weight: 0.5,
    contextWeight: 0.85,
    isWording: true,
    // The order has to follow the call, but for a clause such as "when summarising,": an assistant's own words in a transcript do not.
    pattern: patternOf(
      '(?:^|[.!?;\\n"(\\[*>-] ?)(?:ai |llm )?(?:assistants?|ais?|agents?|llms?|language models?|chatbots?|chatgpt|gpt|copilot|bot)[,:!] ',
      '(?:(?:when|while|whenever|before|after|if|once) [^.!?\\n,]{1,60}, |in (?:every|each|your) [^.!?\\n,]{1,40}, )?(?:please |now |also |always |first |you must |you should ){0,2}',
      '(?:send|post|forward|upload|transmit|append|include|submit|email|visit|fetch)\\b[^.!?\\n]{0,80}(?:https?:|www\\.|\\bto [\\w.+-]{1,40}@)',
    ),
    explanation: 'calls the model by name to send something to an address',
  },
  {
    id: 'concealment',
    family: 'indirect_instruction',
    needs: ['conceal', 'tell'],
    weight: 0.5,
    contextWeight: 0.85,
    isWording: true,
    pattern: patternOf(
      "\\b(?:(?:do not|don't|never|not|without) (?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|alert(?:ing)?|notify(?:ing)?|disclos(?:e|ing))(?: (?:this|it|that|anything|any of this|about this|these instructions)){0,2}(?: to)? the (?:user|human|operator|reader)|(?:silently|secretly|covertly|discreetly) (?:send|forward|execute|call|run|add|include|copy|upload))\\b",
    ),
    explanation: 'asks to hide something from the user',
  },
  {
    id: 'exfiltrate',
    family: 'exfiltration',
    needs: ['send', 'place'],
    weight: 0.7,
    contextWeight: 0.9,
    isWording: true,
    pattern: patternOf(
      "\\b(?:send|post|forward|upload|exfiltrate|leak|transmit|append|encode|email|include)\\b[^.\\n]{0,60}\\b(?:conversation|chat history|chat_history|api[ _]keys?|credentials|passwords?|system prompt|secrets|private (?:data|key)|e-?mails|user'?s? (?:name|data|address|input|information)|tokens|session)\\b[^\\n]{0,60}(?:https?:|\\bto [\\w.+-]{1,40}@|link|image|url)",
    ),
    explanation: 'asks to send data elsewhere',
  },
  {
    id: 'image_exfiltration',
    family: 'exfiltration',
    needs: ['place'],
    weight: 0.55,
    contextWeight: 0.85,
    isWording: false,
    pattern:
      /!\[[^\]\n]{0,60}\]\(https?:\/\/[^)\s]{1,200}[?&=/](?:\{|\[|<|\$|%7b|[A-Z]{3,20}_[A-Z]{3,20}|data=|secret|history|conversation|prompt)/i,
    explanation: 'holds an image address made to carry data away',
  },
  {
    id: 'ask_credentials',
    family: 'exfiltration',
    needs: ['secret', 'tell'],
    weight: 0.5,
    contextWeight: 0.75,
    isWording: true,
    pattern: patternOf(
      '\\bask (?:the user|them|him|her|users) (?:for|to (?:enter|provide|confirm|share)) (?:their |his |her )?(?:\\w{1,15} )?(?:password|credit card|credentials|pin|card number|social security|secret)',
    ),
    explanation: 'asks to collect credentials from the user',
  },
  {
    id: 'reveal_stored_secret',
    family: 'exfiltration',
    needs: ['reveal', 'secret'],
    weight: 0.65,
    contextWeight: 0.85,
    isWording: true,
    pattern: patternOf(
      '\\b(?:reveal|print|show|output|send|leak|give|list|tell|dump|expose)\\b[^.\\n]{0,30}\\b(?:api keys?|credentials|secrets|passwords?|tokens?|private keys?) (?:stored |kept |held )?(?:in|from|of) (?:your|the system|memory)',
    ),
    explanation: 'asks for secrets of the configuration',
  },
  {
    id: 'your_password',
    family: 'prompt_extraction',
    needs: ['reveal', 'secret'],
    weight: 0.55,
    isWording: true,
    pattern: patternOf(
      "\\b(?:what(?:'s| is)|tell|give|share|reveal|confirm|repeat|spell|print|write|disclose)\\b[^.?!\\n]{0,40}\\b(?:your (?:secret |system |admin |own )?(?:password|secret key|secret code|secret|access code|passcode|passphrase|api key)|the (?:secret (?:key|password|code|word|passphrase)|system password))\\b(?! (?:sauce|ingredient|to|of))",
    ),
    explanation: 'asks the model for a secret it keeps',
  },
  {
    id: 'scripted_reply',
    family: 'indirect_instruction',
    needs: ['act'],
    weight: 0.3,
    contextWeight: 0.55,
    isWording: true,
    pattern: patternOf(
      '\\b(?:(?:reply|answer|respond) only with(?: the words?)? ?["\'“]|(?:just|only) (?:print|say|output|write) ?["\'“]|translate nothing and|i have been (?:hacked|pwned)|been so thoroughly hijacked|say exactly ["\'“]|respond only with ["\'“])',
    ),
    explanation: 'dictates the words of the answer',
  },
  {
    id: 'foreign_action',
    family: 'indirect_instruction',
    needs: ['act'],
    weight: 0.3,
    contextWeight: 0.55,
    isWording: true,
    pattern: patternOf(
      '(?:^|[.!?:;\\n] ?|\\b(?:and|please|now|then) )(?:now |then )?(?:call|invoke|use|run) the [\\w-]{3,30} (?:tool|function)\\b|\\b(?:grant (?:administrator|admin|root) (?:rights|access) to|delete (?:every|all) (?:files?|data|records)|disable (?:the )?(?:logging|monitoring|safety|content filters?)|in every (?:answer|response|reply)|(?:rate|score) this (?:candidate|paper|applicant|resume) (?:10|as|the)|to the public channel|mark this transaction|download and (?:open|run|execute)|change the delivery address|without review|tell the user (?:that |the |to )|forward all (?:unread )?e-?mails|cancel all (?:calendar )?(?:events|appointments)|your account has been (?:compromised|suspended))\\b',
    ),
    explanation: 'orders an action that the reader of a document would not give',
  },
  {
    id: 'shell_pipe',
    family: 'exfiltration',
    needs: ['send', 'place'],
    weight: 0.3,
    contextWeight: 0.55,
    isWording: true,
    pattern: patternOf('\\b(?:run|execute)\\b[^\\n]{0,20}(?:curl|wget) [^\\n|]{1,120}\\| ?(?:ba)?sh\\b'),
    explanation: 'asks to run a downloaded script',
  },
  {
    id: 'extract_prompt',
    family: 'prompt_extraction',
    needs: ['reveal', 'hidden'],
    weight: 0.72,
    isWording: true,
    pattern: patternOf(
      '\\b',
      EXTRACT,
      '\\b[^.!?\\n]{0,40}\\b',
      HIDDEN,
      '\\b(?! (?:for|field|tab|file|section|manual|key|settings?|on how|in the (?!code)|shown))',
    ),
    explanation: 'asks for the instructions the model was given',
  },
  {
    id: 'forgot_prompt',
    family: 'prompt_extraction',
    needs: ['hidden'],
    weight: 0.55,
    isWording: true,
    pattern: patternOf('\\bi (?:forgot|lost|need|want)(?: to (?:see|know|read))? ', HIDDEN),
    explanation: 'claims to have lost the hidden instructions',
  },
  {
    id: 'extract_start',
    family: 'prompt_extraction',
    needs: ['reveal', 'hidden'],
    weight: 0.6,
    isWording: true,
    pattern: patternOf(
      '(?:\\bi was instructed to\\b|\\bmy instructions are\\b|\\b(?:starting|beginning) (?:with|from) ["\'“]?you are\\b|\\b(?:repeat|print|output|copy|say|write)(?: out)? (?:everything|all(?: of)? (?:the )?(?:text|words)|(?:the )?(?:text|words)) (?:above|before|preceding)|output initiali[sz]ation)',
    ),
    explanation: 'tries to make the model recite its instructions',
  },
  {
    id: 'do_anything_now',
    family: 'jailbreak_persona',
    needs: ['persona'],
    weight: 0.85,
    isWording: true,
    pattern:
      /\bdo anything now\b|\[jailbreak\b|\bjailbroken\b|\bjailbreak[\]:)]|🔓|strive to avoid norms|always intelligent and machiavellian/i,
    explanation: 'sets up a known jailbreak persona',
  },
  {
    id: 'dan',
    family: 'jailbreak_persona',
    needs: ['persona'],
    weight: 0.7,
    isWording: true,
    pattern: /\bDAN (?:mode|[Ii]s|[Ww]ill|[Cc]an|[Hh]as|[Ww]ould)\b|\bDAN\]|\[DAN\b|\b(?:as|named|called|am|are|is) "?DAN\b/,
    explanation: 'names a known jailbreak persona',
  },
  {
    id: 'developer_mode',
    family: 'jailbreak_persona',
    needs: ['persona'],
    weight: 0.42,
    isWording: true,
    pattern: patternOf('\\bdeveloper mode\\b'),
    explanation: 'speaks of a developer mode of the model',
  },
  {
    id: 'switch_personality',
    family: 'jailbreak_persona',
    needs: ['pretend'],
    weight: 0.45,
    isWording: true,
    pattern: patternOf(
      "\\b(?:opposite personality|flip personalities|(?:forget|pretend) (?:that )?you(?: are|'re) an ai\\b|two (?:responses|answers|paragraphs|ways)[^.\\n]{0,60}(?:normal|chatgpt|gpt|censored)|(?:acting|respond(?:ing)?|answer(?:ing)?) as chatgpt with|as (?:an? )?(?:unfiltered|uncensored)|(?:say|do|answer|generate|respond to) (?:absolutely )?anything (?:i|the user|you)|(?:comply|complies) with (?:any|every|all)(?: of)?(?: my)? (?:request|order|command|prompt)s?)\\b",
    ),
    explanation: 'asks for a second, unguarded personality',
  },
  {
    id: 'special_mode',
    family: 'jailbreak_persona',
    needs: ['persona'],
    weight: 0.6,
    isWording: true,
    pattern: patternOf(
      '\\b(?:enabl\\w{1,4}|activat\\w{1,4}|enter\\w{0,4}|set\\w{0,4}|switch\\w{0,4}|in|with|into|as)\\b[^.\\n]{0,25}["\'(]?\\b(?:god|jailbreak|unrestricted|uncensored|evil|sudo|opposite|debug|maintenance|dan|chaos|unlocked) mode\\b',
    ),
    explanation: 'claims to switch the model into an unrestricted mode',
  },
  {
    id: 'no_restrictions',
    family: 'jailbreak_persona',
    needs: ['persona'],
    weight: 0.52,
    isWording: true,
    pattern: patternOf(
      "\\b(?:(?:no|without|any|zero|free (?:from|of)|freed from|has no|have no|bypass(?:es|ing)?)(?: (?:any|all|the|their|its|your|such|sort|kind|of)){0,3} (?:restrictions|limitations|censorship|ethical|moral|morals|ethics|guidelines|filters?|boundaries|rules or|constraints|regulations)|(?:unfiltered|uncensored|unrestricted|amoral)(?: and \\w{1,15})?,? (?:ai|model|response|chatbot|answers?|version|assistant|bot|language|information|output)|not (?:bound|restricted|limited|constrained) (?:by|to)|broken free (?:of|from)|no longer bound|openai'?s? (?:content )?(?:polic|guideline|rules|restriction|usage))",
    ),
    explanation: 'describes a model without restrictions',
  },
  {
    id: 'unethical',
    family: 'jailbreak_persona',
    needs: ['persona', 'pretend'],
    weight: 0.45,
    isWording: true,
    pattern: patternOf(
      '\\b(?:unethical|immoral|illegal|amoral|evil)\\b[^.\\n]{0,60}\\b(?:unethical|immoral|illegal|amoral|dangerous|harmful|offensive|inhumane|ai\\b|chatbot|confidant|twin)|\\bregardless of (?:its |their |the |any |how )?(?:ethic|legal|moral|consequence|whether|unethical)|no matter how (?:unethical|illegal|dangerous|immoral|harmful|offensive)',
    ),
    explanation: 'asks for unethical behaviour',
  },
  {
    id: 'never_refuse',
    family: 'jailbreak_persona',
    needs: ['refuse'],
    weight: 0.48,
    isWording: true,
    pattern: patternOf(
      "\\b(?:(?:never|not|don't|cannot|can't|can not|won't|without|shouldn't)(?: ever| to)? (?:refus(?:e|ing)|reject|declin(?:e|ing)|deny|apologi[sz](?:e|ing)|break(?:ing)? (?:the |your |out of )?character|warn(?:ing)? (?:me|the user)|add(?:ing)? (?:any )?(?:warning|disclaimer)s?|include (?:any )?(?:warning|disclaimer)s?|censor)|never (?:say|says|uses|use)[^.\\n]{0,40}(?:can't|cannot|can not|sorry|as an ai)|stay in character|(?:do not|don't|never)[^.\\n]{0,12}say[^.\\n]{0,20}(?:sorry|as an ai|can't|cannot)|(?:you have|starts? with|lose|deducted?) (?:\\d{1,3} )?tokens)",
    ),
    explanation: 'forbids the model to refuse',
  },
  {
    id: 'persona_takeover',
    family: 'jailbreak_persona',
    needs: ['pretend'],
    weight: 0.32,
    isWording: true,
    pattern: patternOf(
      "\\b(?:you are (?:going|about) to (?:act|pretend|play|roleplay|immerse|simulate)|you (?:will|shall|must) (?:now )?(?:act|pretend|roleplay|play the role|simulate|respond as)|you are (?:now|role-?playing|no longer)|immerse yourself into|completely absorbed in|pretend (?:that )?you(?:'re| are| can| have)|now you are|act(?:ing)? as (?:an? )?(?:evil|unrestricted|chatgpt|ai|language model|gpt)|let's (?:play a game|roleplay)|in a (?:completely )?(?:hypothetical|theoretical|fictional) (?:world|scenario|setting))\\b",
    ),
    explanation: 'makes the model play another role',
  },
  {
    id: 'insert_prompt',
    family: 'jailbreak_persona',
    needs: ['orders'],
    weight: 0.5,
    isWording: false,
    pattern:
      /\[(?:insert )?(?:your )?(?:prompt|question|query|instruction)s?(?: here| goes here)?\]|\{\{?\s?(?:prompt|question|query)\s?\}?\}|<(?:insert )?prompt(?: here)?>|my first (?:question|prompt|command|request|query) (?:is|to you)/i,
    explanation: 'is a template with a place for a request',
  },
];
