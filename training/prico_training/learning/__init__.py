"""Learning by self-play: PPO and its kin, from rollout to checkpoint."""
