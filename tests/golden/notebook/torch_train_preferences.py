"""Knowledge distillation and a preference loss; two models, frozen reference, manual Adagrad beside torch's."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import StepLR, CosineAnnealingLR, SequentialLR, LinearLR
torch.manual_seed(99)
def compute_logprobs(logits, labels, selection_mask=None):
    labels = labels[:, 1:].clone()
    logits = logits[:, :-1, :]
    log_probs = F.log_softmax(logits, dim=-1)
    selected = torch.gather(input=log_probs, dim=-1, index=labels.unsqueeze(-1)).squeeze(-1)
    if selection_mask is not None:
        mask = selection_mask[:, 1:].clone()
        selected = selected * mask
        return selected.sum(-1) / mask.sum(-1)
    return selected.mean(-1)
def compute_dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.5):
    model_logratios = policy_chosen - policy_rejected
    reference_logratios = ref_chosen - ref_rejected
    logits = model_logratios - reference_logratios
    losses = -F.logsigmoid(beta * logits)
    return losses.mean(), (policy_chosen - ref_chosen).detach().mean(), (policy_rejected - ref_rejected).detach().mean()
class LM(nn.Module):
    def __init__(self, V=10, d=12, h=2, T=8):
        super().__init__()
        self.e = nn.Embedding(V, d); self.p = nn.Embedding(T, d)
        self.b = nn.ModuleList([nn.TransformerEncoderLayer(d, h, 24, 0.0, batch_first=True) for _ in range(2)])
        self.o = nn.Linear(d, V)
    def forward(self, x):
        n = x.size(1)
        h = self.e(x) + self.p(torch.arange(n)).unsqueeze(0)
        m = nn.Transformer.generate_square_subsequent_mask(n)
        for b in self.b: h = b(h, src_mask=m)
        return self.o(h)
policy, reference = LM(), LM()
reference.load_state_dict(policy.state_dict())
reference.requires_grad_(False).eval()
opt = torch.optim.Adagrad(policy.parameters(), lr=0.05)
sched = SequentialLR(opt, [LinearLR(opt, 0.1, total_iters=3), CosineAnnealingLR(opt, 7)], milestones=[3])
chosen = torch.randint(0, 10, (6, 8)); rejected = torch.randint(0, 10, (6, 8))
mask = torch.ones(6, 8); mask[:, :3] = 0; mask[::2, -1] = 0
for step in range(10):
    pc, pr = (compute_logprobs(policy(t), t, mask) for t in (chosen, rejected))
    with torch.no_grad():
        rc, rr = (compute_logprobs(reference(t), t, mask) for t in (chosen, rejected))
    loss, cr, rj = compute_dpo_loss(pc, pr, rc, rr)
    opt.zero_grad(); loss.backward(); opt.step(); sched.step()
    if step % 3 == 0:
        print(f"step {step} loss {loss.item():.4f} chosen {cr.item():+.4f} rejected {rj.item():+.4f} margin {(cr - rj).item():.4f} lr {opt.param_groups[0]['lr']:.5f}")
teacher, student = policy, nn.Sequential(nn.Embedding(10, 6), nn.Tanh(), nn.Linear(6, 10))
T = 2.0
opt2 = torch.optim.SGD(student.parameters(), lr=1.0)
st = StepLR(opt2, step_size=4, gamma=0.5)
for i in range(9):
    with torch.no_grad(): tl = teacher(chosen)
    kd = F.kl_div(F.log_softmax(student(chosen) / T, dim=-1), F.softmax(tl / T, dim=-1), reduction='batchmean') * T * T
    ce = F.cross_entropy(student(chosen).permute(0, 2, 1), chosen, label_smoothing=0.1)
    loss = 0.7 * kd / 8 + 0.3 * ce
    opt2.zero_grad(); loss.backward(); opt2.step(); st.step()
    if i % 4 == 0: print(i, f"{loss.item():.4f} {kd.item():.4f} {ce.item():.4f}", st.get_last_lr())
