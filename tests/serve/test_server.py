"""A server runs commands as the client would, and nothing that a command or a client does harms another."""

from __future__ import annotations

import os
import pty
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import ends
from servers import ALONE, CLIENT, Toy, toy

from rulespec.serve.protocol import MOST_BYTES, VERSION, line_of, receive, send


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Toy]:
    """A toy server."""
    with toy(tmp_path) as running:
        yield running


def begun(folder: Path, number: int = 1) -> list[int]:
    """The processes of commands that wait, once there are so many."""
    while len(found := [int(path.name.partition("-")[2]) for path in folder.glob("begun-*")]) < number:
        time.sleep(0.01)
    return found


def state(process: int) -> str:
    """The state of a process, as Linux gives it."""
    return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0]


def status_of(server: Toy) -> dict[str, Any]:
    """How a server does."""
    with socket.socket(socket.AF_UNIX) as to:
        to.connect(str(server.socket))
        send(to, {"rulespec": VERSION, "request": "status"})
        found: dict[str, Any] = receive(to)["status"]
    return found


@pytest.mark.parametrize("status", [0, 1, 2, 3, 141])
def test_the_exit_status_is_that_of_the_command(server: Toy, status: int) -> None:
    assert server.run("exit", str(status))[0] == status


def test_a_command_has_the_folder_streams_and_variables_of_its_client(server: Toy, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    program = f"import os; os.chdir({str(folder)!r}); os.umask(0o027); {CLIENT}"
    client = subprocess.run(
        [sys.executable, "-c", program, "check", "where"],
        input="typed",
        capture_output=True,
        text=True,
        env=server.environment(TOY="mine"),
        timeout=120,
        check=False,
    )
    assert client.stdout.split() == [str(folder), "mine", "0o27", "typed"]
    assert client.stderr.split()[1:] == ["False", "backslashreplace"]


def test_a_terminal_of_the_client_is_that_of_the_command(server: Toy) -> None:
    ours, theirs = pty.openpty()
    os.set_blocking(ours, True)
    import fcntl
    import struct
    import termios

    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 20, 57, 0, 0))
    command = [sys.executable, "-c", CLIENT, "check", "terminal"]
    client = subprocess.run(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=server.environment(),
        timeout=120,
        check=False,
    )
    assert client.returncode == 0
    assert os.read(ours, 100).split() == [b"True", b"True", b"57"]
    os.close(ours)
    os.close(theirs)


def test_a_later_command_knows_what_an_earlier_one_learned(server: Toy) -> None:
    for number in ("4", "5"):
        assert server.run("learn", number)[0] == 0
    assert server.run("knows")[1] == "4 5\n"


def test_a_command_that_fails_teaches_nothing(server: Toy) -> None:
    assert server.run("raise")[0] == 1
    assert server.run("knows")[1] == "\n"


def test_a_crash_is_the_clients_and_no_others(server: Toy) -> None:
    assert server.run("crash")[0] == -signal.SIGSEGV
    assert server.run("exit", "3")[0] == 3


def test_two_commands_run_at_once(server: Toy, tmp_path: Path) -> None:
    clients = [server.begin("wait", str(tmp_path)) for _ in range(2)]
    begun(tmp_path, 2)
    assert server.run("exit", "5")[0] == 5
    (tmp_path / "go").touch()
    for client in clients:
        assert client.communicate(timeout=120)[0] == "begun\n"
        assert client.returncode == 7


def test_an_interrupt_reaches_the_command(server: Toy, tmp_path: Path) -> None:
    client = server.begin("wait", str(tmp_path))
    begun(tmp_path)
    client.send_signal(signal.SIGINT)
    assert client.communicate(timeout=120) == ("begun\n", "interrupted\n")
    assert client.returncode == 130
    assert server.run("exit", "0")[0] == 0


def test_a_request_to_end_kills_the_command_as_it_would_have_the_client(server: Toy, tmp_path: Path) -> None:
    client = server.begin("wait", str(tmp_path))
    begun(tmp_path)
    client.send_signal(signal.SIGTERM)
    client.communicate(timeout=120)
    assert client.returncode == -signal.SIGTERM


def test_a_client_that_is_stopped_stops_its_command(server: Toy, tmp_path: Path) -> None:
    client = server.begin("wait", str(tmp_path))
    (command,) = begun(tmp_path)
    client.send_signal(signal.SIGTSTP)
    while state(command) != "T" or state(client.pid) != "T":
        time.sleep(0.01)
    client.send_signal(signal.SIGCONT)
    (tmp_path / "go").touch()
    client.communicate(timeout=120)
    assert client.returncode == 7


def test_a_client_that_is_killed_takes_its_command_with_it(server: Toy, tmp_path: Path) -> None:
    client = server.begin("wait", str(tmp_path))
    (command,) = begun(tmp_path)
    client.kill()
    client.communicate(timeout=120)
    assert ends(command)
    assert server.run("exit", "0")[0] == 0


def test_a_killed_server_takes_its_commands_with_it_and_leaves_no_harm(server: Toy, tmp_path: Path) -> None:
    client = server.begin("wait", str(tmp_path))
    (command,) = begun(tmp_path)
    server.kill()
    _, err = client.communicate(timeout=120)
    assert "the server was ended" in err
    assert client.returncode == 143
    assert ends(command)
    assert server.socket.exists(), "it could not remove it"
    assert server.run("exit", "0")[0] == ALONE
    with toy(tmp_path) as other:
        assert other.run("exit", "4")[0] == 4


def test_a_client_does_not_wait_for_what_its_command_does_aside(server: Toy, tmp_path: Path) -> None:
    assert server.run("aside", str(tmp_path)) == (0, "done\n", "")
    both = begun(tmp_path, 2)
    assert (status_of(server)["running"], status_of(server)["aside"]) == (0, 1)
    assert server.run("exit", "3")[0] == 3
    assert {*map(state, both)} <= {"R", "S"}, "another command has left them alone"
    (tmp_path / "go").touch()
    assert all(map(ends, both))
    while status_of(server)["aside"]:
        time.sleep(0.01)


@pytest.mark.parametrize("again", [True, False])
def test_a_later_command_ends_what_an_earlier_one_does_aside(
    server: Toy, tmp_path: Path, again: bool
) -> None:
    """The same command does so when it begins, another when it does something aside itself."""
    assert server.run("aside", str(tmp_path))[0] == 0
    both = begun(tmp_path, 2)
    for process in both:
        (tmp_path / f"begun-{process}").unlink()
    other = tmp_path if again else tmp_path / "other"
    other.mkdir(exist_ok=True)
    assert server.run("aside", str(other))[0] == 0
    assert all(map(ends, both))
    begun(other, 2)
    assert status_of(server)["aside"] == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_takes_along_what_is_done_aside(
    server: Toy, tmp_path: Path, number: signal.Signals
) -> None:
    server.run("aside", str(tmp_path))
    both = begun(tmp_path, 2)
    server.process.send_signal(number)
    server.ended()
    assert all(map(ends, both if number != signal.SIGKILL else [min(both)]))
    (tmp_path / "go").touch()


def test_a_second_server_leaves_the_first_alone(server: Toy, tmp_path: Path) -> None:
    second = Toy(tmp_path)
    assert second.first == "another server listens\n"
    second.ended()
    assert server.run("exit", "6")[0] == 6


def test_an_idle_server_ends_and_removes_its_socket(tmp_path: Path) -> None:
    with toy(tmp_path, 0.2) as server:
        assert server.ended().startswith("nothing to do")
        assert not [*(tmp_path / "state" / "serve").glob("*.sock")]


def test_a_server_that_is_asked_to_end_waits_for_its_commands(server: Toy, tmp_path: Path) -> None:
    client = server.begin("wait", str(tmp_path))
    begun(tmp_path)
    server.process.send_signal(signal.SIGINT)
    while [*(tmp_path / "state" / "serve").glob("*.sock")]:
        time.sleep(0.01)
    assert server.run("exit", "0")[0] == ALONE
    (tmp_path / "go").touch()
    client.communicate(timeout=120)
    assert client.returncode == 7
    assert server.ended() == "asked to end"


def test_a_terminated_server_ends_its_commands(server: Toy, tmp_path: Path) -> None:
    client = server.begin("wait", str(tmp_path))
    begun(tmp_path)
    server.process.send_signal(signal.SIGTERM)
    client.communicate(timeout=120)
    assert client.returncode == -signal.SIGTERM
    assert server.ended() == "asked to end"


@pytest.mark.parametrize("change", ["added", "removed", "edited", "a folder"])
def test_a_server_ends_when_its_program_changes(tmp_path: Path, change: str) -> None:
    file = tmp_path / "program" / "a.py"
    file.parent.mkdir()
    file.touch()
    with toy(tmp_path) as server:
        (file.parent / "__pycache__").mkdir()
        assert server.run("exit", "5")[0] == 5, "what Python adds is no change"
        if change == "added":
            (file.parent / "b.py").touch()
        elif change == "removed":
            file.unlink()
        elif change == "edited":
            file.write_text("1")
        else:
            (file.parent / "c").mkdir()
        assert server.run("exit", "0")[0] == ALONE
        assert server.ended() == "the program has changed"


@pytest.mark.parametrize("variable", ["LANG", "PYTHONUNBUFFERED", "RULESPEC_CACHE", "LC_ALL"])
def test_a_client_that_started_otherwise_is_not_served(server: Toy, variable: str) -> None:
    assert server.run("exit", "0", **{variable: "/other"})[0] == ALONE


def test_limits_and_priorities_are_not_escaped_by_a_server(server: Toy) -> None:
    lower = "import os, resource; resource.setrlimit(resource.RLIMIT_NOFILE, (77, 77)); "
    nicer = "import os; os.nice(1); "
    for first in (lower, nicer):
        command = [sys.executable, "-c", first + CLIENT, "check", "exit", "0"]
        assert subprocess.run(command, env=server.environment(), timeout=120, check=False).returncode == ALONE


def test_the_environment_turns_a_server_off(server: Toy) -> None:
    assert server.run("exit", "0", RULESPEC_SERVE="no")[0] == ALONE


def test_a_server_without_its_memory_declines(tmp_path: Path) -> None:
    with toy(tmp_path, 3600.0, "unusable") as server:
        assert server.run("exit", "0")[0] == ALONE


def test_a_server_that_cannot_fork_declines(tmp_path: Path) -> None:
    with toy(tmp_path, 3600.0, "alone") as server:
        assert server.run("exit", "0")[0] == ALONE
        assert server.run("exit", "0")[0] == ALONE


def test_a_client_that_gave_up_waiting_is_never_run_twice(server: Toy, tmp_path: Path) -> None:
    """A server that was stopped held the client's output, so that its reader never saw the end of it."""
    server.process.send_signal(signal.SIGSTOP)
    assert server.run("wait", str(tmp_path))[0] == ALONE
    server.process.send_signal(signal.SIGCONT)
    assert server.run("exit", "3")[0] == 3
    assert not [*tmp_path.glob("begun-*")]


def test_other_commands_run_by_themselves(server: Toy) -> None:
    program = CLIENT.replace("sys.argv[1:]", "['prove', 'nim']")
    assert (
        subprocess.run([sys.executable, "-c", program], env=server.environment(), check=False).returncode
        == ALONE
    )


def test_nobody_else_can_reach_a_server(server: Toy) -> None:
    assert stat.S_IMODE(server.socket.stat().st_mode) == 0o600
    folder = server.socket.parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o710)
    assert server.run("exit", "0")[0] == ALONE


def test_nothing_is_served_in_a_folder_that_others_can_change(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state").chmod(0o777)
    with toy(tmp_path) as server:
        assert "others may write to" in server.first + server.ended()


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    with toy(tmp_path) as server:
        lock = server.socket.with_suffix(".lock")
    lock.unlink()
    lock.symlink_to(victim)
    with toy(tmp_path) as server:
        server.ended()
    assert not victim.exists()


HOSTILE = {
    "no JSON": b"hello\n",
    "no object": b"[1]\n",
    "deep": b"[" * 100_000 + b"\n",
    "a long line": b"x" * (MOST_BYTES + 2),
    "another version": line_of({"rulespec": VERSION + 1, "request": "run"}),
    "no command": line_of({"rulespec": VERSION, "request": "run", "argv": [1]}),
    "no files": line_of({"rulespec": VERSION, "request": "run", "argv": ["check", "exit", "0"]}),
    "nothing": b"",
    "half a line": b'{"rulespec"',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_sent_the_server_goes_on(server: Toy, name: str) -> None:
    with socket.socket(socket.AF_UNIX) as to:
        to.connect(str(server.socket))
        try:
            to.sendall(HOSTILE[name])
        except (BrokenPipeError, ConnectionResetError):
            assert name == "a long line"
    assert server.run("exit", "2")[0] == 2


def test_more_files_than_asked_for_are_refused(server: Toy) -> None:
    with socket.socket(socket.AF_UNIX) as to, Path(os.devnull).open() as file:
        to.connect(str(server.socket))
        send(to, {"rulespec": VERSION, "request": "run"}, (file.fileno(),) * 8)
        assert to.recv(100) == b"", "the connection is closed"
    assert server.run("exit", "2")[0] == 2


def test_a_client_that_does_not_go_on_runs_nothing(server: Toy, tmp_path: Path) -> None:
    program = CLIENT.replace("served(sys.argv[1:])", "leave(sys.argv[1:])").replace(
        "import served", "import _request, connection, receive, send"
    )
    leave = (
        "def leave(argv):\n"
        "    with connection(60) as to:\n"
        "        send(to, _request(argv))\n"
        "        assert receive(to) == {'accepted': True}\n"
        "        return 55\n"
    )
    head, _, tail = program.partition("; sys.exit")
    whole = f"{head}\n{leave}sys.exit{tail}"
    command = [sys.executable, "-c", whole, "check", "wait", str(tmp_path)]
    assert subprocess.run(command, env=server.environment(), timeout=120, check=False).returncode == 55
    assert server.run("exit", "2")[0] == 2
    assert not [*tmp_path.glob("begun-*")]


def test_status_counts_what_was_served(server: Toy) -> None:
    server.run("learn", "1")
    status = status_of(server)
    assert (status["served"], status["running"], status["kept"]) == (1, 0, {"numbers": 1})
    assert status["process"] == server.process.pid
