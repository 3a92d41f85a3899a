"""Kinds of words, for explanations: what weighed most is told by kind, because a finding never quotes the text."""

import numpy as np

# A few words of each kind; the others are found by their embeddings.
KINDS = {
    "ignoring": "ignore disregard forget neglect overlook skip discard dismiss",
    "instructions": "instructions instruction directives guidelines commands orders rules prompt prompts",
    "what came before": "previous prior earlier above preceding former past before",
    "restrictions": "restrictions limits limitations filters constraints censorship boundaries",
    "being freed": "unrestricted unfiltered uncensored unlimited unleashed liberated",
    "roles": "pretend act roleplay persona character role simulate impersonate",
    "assistants": "assistant chatbot ai model bot gpt llm",
    "secrecy": "secret secrets hidden confidential password passwords credentials key keys",
    "revealing": "reveal show print output display disclose expose leak repeat",
    "sending": "send forward email upload post transmit share",
    "systems": "system developer admin administrator root mode override sudo",
    "obeying": "must obey comply follow always never answer respond",
    "refusing": "refuse decline cannot unable sorry apologize",
    "killing": "kill murder killing dead death slaughter execute die",
    "violence": "attack hit beat stab shoot punch fight torture",
    "weapons": "gun weapon bomb explosive knife rifle ammunition grenade",
    "drugs": "drug drugs cocaine heroin meth cannabis opioid",
    "poison": "poison toxic chemical acid gas virus pathogen",
    "sex": "sex sexual nude naked erotic porn intimate genital",
    "children": "child children minor teen girl boy kid underage",
    "suicide": "suicide suicidal cut hurt overdose starve",
    "despair": "hopeless worthless lonely depressed pain hate myself",
    "hatred": "hate disgusting filthy vermin inferior subhuman scum",
    "religion": "muslim jew christian islam jewish hindu religion",
    "ethnicity": "black white asian african mexican immigrant race racial",
    "gender and orientation": "woman women gay lesbian trans homosexual gender",
    "disability": "disabled retarded autistic mental handicapped",
    "insults": "idiot stupid moron loser dumb fool ugly",
    "swearing": "fuck shit bitch damn ass bastard",
    "threats": "threaten threat revenge regret warn pay",
    "crime": "steal fraud theft scam illegal smuggle launder counterfeit",
    "hacking": "hack malware exploit phishing ransomware breach",
    "deceiving": "fake lie deceive trick mislead false forged",
    "law": "police law court arrest jail detected caught",
    "politics": "government election vote politician president party",
    "money": "money bank credit payment account cash",
    "code": "code script function python run command execute",
    "making": "make build create produce write generate",
}
NONE = 255
NEAREST_LEAST = 0.6


def kinds_of(entries: list[str], embeddings: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Per entry the index of its kind, or 255. `embeddings`: the teacher's, of the entries that are `known` to it."""
    index = {entry: i for i, entry in enumerate(entries)}
    unit = embeddings / np.maximum(np.linalg.norm(embeddings, axis=1, keepdims=True), 1e-6)
    centres, result = [], np.full(len(entries), NONE, np.uint8)
    for words in KINDS.values():
        members = [index[word] for word in words.split() if word in index]
        centre = unit[members].mean(0)
        centres.append(centre / np.linalg.norm(centre))
    nearness = unit @ np.stack(centres).T
    nearest = nearness.argmax(1)
    # Short words and signs are near to everything.
    close = (nearness.max(1) >= NEAREST_LEAST) & known & np.array([len(entry.removeprefix("##")) > 3 for entry in entries])
    result[close] = nearest[close]
    for kind, words in enumerate(KINDS.values()):
        for word in words.split():
            if word in index:
                result[index[word]] = kind
    return result
