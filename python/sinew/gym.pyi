from enum import Enum
from typing import Any, Dict, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Environment, Model, Motion as Motion

INSTALLED: bool
REGISTERED: Dict[str, Dict[str, Any]]

class AutoresetMode(Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"

class VectorEnv:
    env: Environment
    num_envs: int
    metadata: Dict[str, Any]
    observation_space: Any
    action_space: Any
    single_observation_space: Any
    single_action_space: Any
    autoreset_mode: AutoresetMode
    def __init__(self, character: Any = ..., motion: Any = ..., *, num_envs: int = ..., autoreset_mode: Union[str, AutoresetMode] = ..., render_mode: Optional[str] = ..., **settings: Any) -> None: ...
    def reset(self, *, seed: Any = ..., options: Optional[Dict[str, Any]] = ...) -> Tuple[NDArray[np.float32], Dict[str, Any]]: ...
    def step(self, actions: ArrayLike) -> Tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Dict[str, Any]]: ...
    def close(self) -> None: ...

class Env:
    env: Environment
    observation_space: Any
    action_space: Any
    def __init__(self, character: Any = ..., motion: Any = ..., *, render_mode: Optional[str] = ..., **settings: Any) -> None: ...
    def reset(self, *, seed: Optional[int] = ..., options: Optional[Dict[str, Any]] = ...) -> Tuple[NDArray[np.float32], Dict[str, Any]]: ...
    def step(self, action: ArrayLike) -> Tuple[NDArray[np.float32], float, bool, bool, Dict[str, Any]]: ...
    def close(self) -> None: ...

def swimmer() -> Model: ...
def spider() -> Model: ...
