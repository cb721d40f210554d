"""Hugging Face Trainer: a text model on the votes, evaluated against all of them."""

import torch
from transformers import BertConfig, BertForSequenceClassification, TrainingArguments

import votewise as vw
from votewise.adapters.huggingface import VotesTrainer

texts = ["great food", "great service", "bad food", "bad service", "fine food", "no idea", "not bad", "not great"] * 8
said = [[5, 0, 0], [4, 1, 0], [0, 1, 4], [0, 0, 5], [2, 3, 0], [1, 3, 1], [2, 2, 1], [0, 2, 3]] * 8
votes = vw.Votes.from_counts(said, classes=["positive", "neutral", "negative"])

words = {word: number for number, word in enumerate(sorted({word for text in texts for word in text.split()}))}
rows = [{"input_ids": [words[word] for word in text.split()]} for text in texts]  # yours: tokenizer(text), no labels

torch.manual_seed(0)
shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
model = BertForSequenceClassification(BertConfig(vocab_size=len(words), num_labels=votes.num_classes, **shape))
options = {"per_device_train_batch_size": 8, "num_train_epochs": 8, "learning_rate": 5e-3, "eval_strategy": "epoch"}
quiet = {"report_to": "none", "disable_tqdm": True, "save_strategy": "no", "dataloader_pin_memory": False}
trainer = VotesTrainer(
    model,
    TrainingArguments("trainer-output", use_cpu=True, **options, **quiet),
    delivery=vw.Multipass(votes, seed=0),
    train_dataset=rows,
    eval_dataset=rows,  # yours: other rows, with their votes
    eval_votes=votes,
)
trainer.train()
print("soft NLL", vw.score(trainer.predict(rows).predictions, votes, kind="logits")["soft_nll"])
