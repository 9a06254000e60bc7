"""A Slurm cluster on this machine: a real slurmctld, two slurmd and a separate munge, all in one folder."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NODES = ("n1", "n2")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "srun", "scontrol")
CONF = """
ClusterName=sortlab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/%n
StateSaveLocation={folder}/state
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerNode=300
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdTimeout=4
ReturnToService=2
KillWait=5
MpiDefault=none
MailProg=/bin/true
{nodes}
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 GraceTime=60
PartitionName=high Nodes=ALL PriorityTier=10
"""


def absent():
    """The programs of Slurm and munge that are not installed here."""
    return [name for name in PROGRAMS if program(name) is None]


def program(name):
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_until(what, happens, seconds=120):
    """The first true value of `happens`; fails with `what` when time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = happens()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s: {what}")


class SlurmCluster:
    """Two nodes of two processors. Jobs of partition `low` are requeued if `high` needs their nodes."""

    def __init__(self):
        # A short path, since the path of a socket has at most 108 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-", dir="/tmp"))
        self.folder.chmod(0o755)
        (self.folder / "state").mkdir()
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        self.conf = self.folder / "slurm.conf"
        port, *ports = free_ports(1 + len(NODES))
        host = socket.gethostname().partition(".")[0]
        line = "NodeName={} NodeHostname={} NodeAddr=127.0.0.1 Port={} CPUs=2 RealMemory=3000 Feature=sametype"
        user = subprocess.check_output(["id", "-un"], text=True).strip()
        nodes = "\n".join(line.format(name, host, port) for name, port in zip(NODES, ports))
        self.conf.write_text(CONF.format(host=host, port=port, user=user, folder=self.folder, nodes=nodes))
        self.environment = {**os.environ, "SLURM_CONF": str(self.conf)}
        self.daemons = {}
        files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        munge = [f"--{option}={self.folder}/munge.{name}" for option, name in files.items()]
        self.start("munged", "--foreground", "--force", *munge)
        wait_until("munge's socket", (self.folder / "munge.socket").exists)
        self.start("slurmctld", "-D")
        for node in NODES:
            (self.folder / node).mkdir()
            self.start_node(node)
        wait_until("both nodes are idle", lambda: self.states() == dict.fromkeys(NODES, "idle"))

    def start(self, name, *arguments, as_name=None):
        with open(self.folder / f"{as_name or name}.log", "ab") as log:
            self.daemons[as_name or name] = subprocess.Popen(
                [program(name), *arguments], env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def start_node(self, node):
        self.start("slurmd", "-D", "-N", node, as_name=node)

    def ask(self, *command):
        told = subprocess.run(
            [program(command[0]), *command[1:]], env=self.environment, capture_output=True, text=True, check=True
        )
        return told.stdout

    def states(self):
        told = subprocess.run(
            ["sinfo", "-h", "-p", "low", "-N", "-o", "%N %T"], env=self.environment, capture_output=True, text=True
        )
        return dict(line.split() for line in told.stdout.splitlines())

    def find_node(self, job):
        return self.ask("squeue", "-h", "-j", job, "-o", "%N").strip()

    def has_ended(self, job):
        told = subprocess.run(["squeue", "-h", "-j", job], env=self.environment, capture_output=True, text=True)
        return told.returncode != 0 or not told.stdout.strip()

    def processes(self, node=None):
        """Ids of the processes of jobs, on one node or all; each slurmstepd, which reports their end, comes first."""
        steps, started = set(), set()
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                environment = (entry / "environ").read_bytes().split(b"\0")
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                is_step = Path(f"/proc/{parent}/comm").read_text().startswith("slurmstepd")
            except OSError:
                continue
            ours = b"SLURM_CONF=%s" % os.fsencode(self.conf) in environment
            name = next((e[16:].decode() for e in environment if e.startswith(b"SLURMD_NODENAME=")), None)
            if ours and name is not None and node in (None, name):
                started.add(int(entry.name))
                steps |= {parent} if is_step else set()
        return [*steps, *(started - steps)]

    def kill_node(self, node):
        """Simulates a power failure: kills slurmd and all its descendants at once."""
        daemon = self.daemons.pop(node)
        daemon.kill()
        daemon.wait()
        while doomed := self.processes(node):
            for process in doomed:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)

    def logs(self):
        return "\n".join(f"== {p.name}\n{p.read_text()[-2000:]}" for p in sorted(self.folder.glob("*.log")))

    def close(self):
        for node in NODES:
            if node in self.daemons:
                self.kill_node(node)
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
