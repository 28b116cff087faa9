"""Passwords on command lines and in statements of SQL: the value goes, the command stays."""

from __future__ import annotations

import pytest

from memd.text.redaction import redact

# Assembled here, so that no scanner takes this file for a leak.
VALUES = ["hunt" + "er27", "Kx9" + "mmQ2z", "sword" + "fish"]

TOLD = """\
CREATE USER 'ada'@'%' IDENTIFIED BY '{}';
create user ada identified by {};
ALTER USER ada IDENTIFIED WITH mysql_native_password BY '{}';
GRANT ALL ON shop.* TO ada@localhost IDENTIFIED BY "{}" WITH GRANT OPTION;
ALTER USER ada PASSWORD '{}';
alter role ada with encrypted password '{}';
SET PASSWORD FOR 'ada'@'localhost' = PASSWORD('{}');
SET PASSWORD FOR 'ada'@'localhost' = '{}';
echo {} | sudo -S apt update
echo '{}' | sudo -kS ls
printf '%s\\n' {} | sudo -S ls
sudo -S ls <<< "{}"
echo {} | docker login -u ada --password-stdin
echo "ada:{}" | sudo chpasswd
echo '{}' | vncpasswd -f > passwd
htpasswd -b /etc/nginx/users ada {}
htpasswd -bc users ada '{}'
htpasswd -nbB ada {}
unzip -P {} archive.zip
unzip -o -P '{}' archive.zip -d out
zip -P {} -r out.zip folder
7z x -p{} archive.7z
7z a -p'{}' -mhe=on out.7z folder
unrar x -p{} archive.rar
rar a -hp{} archive.rar folder
openssl enc -aes-256-cbc -k {} -in a -out b
openssl enc -aes-256-cbc -salt -pass pass:{} -in a -out b
openssl rsa -in key.pem -passin pass:{} -out other.pem
sshpass -p {} ssh ada@host
sshpass -p{} ssh ada@host
mysql -uroot -p{} shop
mysqladmin -u root --password {} ping
curl -u ada:{} https://api.host
curl -sSu "ada:{}" https://api.host
http -a ada:{} https://api.host
smbclient //host/share -U ada%{}
lftp -u ada,{} ftp.host
ldapsearch -x -D cn=admin -w {} -b dc=x
sqlcmd -S db -U sa -P {}
keytool -list -keystore a.jks -storepass {}
gpg --batch --passphrase {} -d f.gpg
wpa_passphrase Home {}
requirepass {}""".splitlines()

OTHERS = """\
rows are identified by native_id and host
a session is identified by 'native_id' in the store
echo done | sudo tee /etc/motd
echo hello | sudo -u ada cat
sudo -S ls
unzip -p archive.zip notes2.txt
docker run --name mongo -p 27017:27017 mongo
docker run --name redis-cli -p 6379:6379 -d redis
mysql -u root -p shop2
ssh -p 2222 ada@host
scp -P 2222 a2.txt ada@host:
mkdir -p src/auth2
curl -k https://api.host/v2x
openssl req -newkey rsa:4096 -keyout key.pem
openssl enc -aes-256-cbc -pass env:KEY_2X
openssl enc -aes-256-cbc -pass file:/run/key2x
mysql -p$MYSQL_ROOT2 shop
unzip -P "$ZIP_PW2" archive.zip
htpasswd -c users ada2x
7z a archive.7z -mx9 notes2
sshpass -p "${PW2}" ssh ada@host
echo $PW2X | sudo -S ls
  --password string   the password of the registry""".splitlines()


@pytest.mark.parametrize("command", TOLD)
@pytest.mark.parametrize("value", VALUES)
def test_of_a_command_the_password_goes_and_the_rest_stays(command: str, value: str) -> None:
    for text in (command, f"We ran this for the build:\n{command}\nand went on with the rest if it works"):
        redacted = redact(text.format(value)).text
        before, after = text.split("{}")

        assert redacted == f"{before}[redacted:password]{after}"
        assert redact(redacted).text == redacted


@pytest.mark.parametrize("command", OTHERS)
def test_commands_and_prose_that_hold_no_password_stay(command: str) -> None:
    assert redact(command).text == command


@pytest.mark.parametrize("piece", ["echo a | sudo -S ", "htpasswd -b ", "sudo -a ", "identified by a ", "zip -P "])
def test_a_text_full_of_beginnings_is_read_once(piece: str) -> None:
    assert redact(redact(piece * (100_000 // len(piece))).text).hits == ()
