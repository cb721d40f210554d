"""Hugging Face Trainer: train a text model on the votes, and evaluate it against all votes on other texts."""

import torch
from transformers import BertConfig, BertForSequenceClassification, TrainingArguments

import votewise as vw
from votewise.adapters.huggingface import VotesTrainer

said = {"great": [5, 0, 0], "fine": [3, 2, 0], "okay": [1, 3, 1], "slow": [0, 2, 3], "awful": [0, 0, 5]}
texts = [f"the {thing} was {word}" for thing in ("food", "room", "menu", "view", "wine", "bar", "tea") for word in said]
votes = vw.Votes.from_counts(list(said.values()) * 7, classes=["positive", "neutral", "negative"])
words = sorted({word for text in texts for word in text.split()})
rows = [{"input_ids": [words.index(word) for word in text.split()]} for text in texts]  # yours: tokenizer(text)

torch.manual_seed(0)
shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
model = BertForSequenceClassification(BertConfig(vocab_size=len(words), num_labels=votes.num_classes, **shape))
options = {"per_device_train_batch_size": 10, "num_train_epochs": 20, "learning_rate": 5e-3, "eval_strategy": "epoch"}
quiet = {"report_to": "none", "disable_tqdm": True, "save_strategy": "no", "dataloader_pin_memory": False}
trainer = VotesTrainer(
    model,
    TrainingArguments("trainer-output", use_cpu=True, **options, **quiet),
    delivery=vw.Multipass(votes[:25], seed=0),
    train_dataset=rows[:25],  # no labels
    eval_dataset=rows[25:],
    eval_votes=votes[25:],
)
trainer.train()
print("soft NLL", vw.score(trainer.predict(rows[25:]).predictions, votes[25:], kind="logits")["soft_nll"])
